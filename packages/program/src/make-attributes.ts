import type { LaunchAttributes } from './calls.ts';
import { trueOrFalse } from './choice.ts';
import type { AttributesInput } from './inputs.ts';
import type { Ref } from './names.ts';
import { dim3, MOST_CLUSTER, whole } from './numbers.ts';
import { keysOf, onlyKeys } from './option-keys.ts';
import type { Scope } from './scope.ts';

export const ATTRIBUTE_KEYS = keysOf<AttributesInput>({
  ...{ programmaticStreamSerialization: true, programmaticEvent: true, launchCompletionEvent: true },
  ...{ cooperative: true, clusterDimension: true, priority: true, deviceUpdatable: true },
});

/** The attributes of a launch, with the events they name. Throws ProgramError, also on a key that is no attribute. */
export function makeAttributes(given: AttributesInput, scope: Scope): LaunchAttributes {
  onlyKeys(given, ATTRIBUTE_KEYS, 'attributes');
  const { programmaticEvent: pe, launchCompletionEvent: le } = given;
  for (const name of ['programmaticStreamSerialization', 'cooperative', 'deviceUpdatable'] as const) {
    trueOrFalse(given[name], false, name);
  }
  if (isEventOptions(pe)) onlyKeys(pe, ['event', 'triggerAtBlockStart', 'external'], 'programmaticEvent');
  if (isEventOptions(le)) onlyKeys(le, ['event'], 'launchCompletionEvent');
  return {
    ...(given.programmaticStreamSerialization === undefined
      ? {}
      : { programmaticStreamSerialization: given.programmaticStreamSerialization }),
    ...(pe === undefined
      ? {}
      : {
          programmaticEvent: {
            event: scope.event(eventOf(pe), 'programmaticEvent'),
            triggerAtBlockStart:
              isEventOptions(pe) && trueOrFalse(pe.triggerAtBlockStart, false, 'triggerAtBlockStart'),
            ...(isEventOptions(pe) && pe.external !== undefined
              ? { external: trueOrFalse(pe.external, false, 'external') }
              : {}),
          },
        }),
    ...(le === undefined
      ? {}
      : { launchCompletionEvent: { event: scope.event(eventOf(le), 'launchCompletionEvent') } }),
    ...(given.cooperative === undefined ? {} : { cooperative: given.cooperative }),
    ...(given.clusterDimension === undefined
      ? {}
      : { clusterDimension: dim3(given.clusterDimension, 'clusterDimension', MOST_CLUSTER) }),
    ...(given.deviceUpdatable === undefined ? {} : { deviceUpdatable: given.deviceUpdatable }),
    ...(given.priority === undefined ? {} : { priority: whole(given.priority, 'priority', Number.MIN_SAFE_INTEGER) }),
  };
}

interface EventOptions {
  readonly event: Ref;
  readonly triggerAtBlockStart?: boolean | undefined;
  readonly external?: boolean | undefined;
}

/** A declared event has a name; whatever else is no text is meant as options. */
function isEventOptions(given: Ref | EventOptions | undefined): given is EventOptions {
  return typeof given === 'object' && given !== null && !('name' in given);
}

function eventOf(given: Ref | EventOptions): Ref {
  return isEventOptions(given) ? given.event : given;
}
