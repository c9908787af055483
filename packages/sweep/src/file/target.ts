import { DEVICE_TIMING, H200, HOST_TIMING, nearestName } from '@griddep/machine';
import { ProgramError } from '@griddep/program';
import { LINK_NAMES } from '../job/links.ts';
import { changeNames } from '../job/what-if.ts';

/** What an axis varies. */
export type Target =
  | { readonly kind: 'parameter'; readonly name: string }
  | { readonly kind: 'constant'; readonly name: string }
  | { readonly kind: 'limit'; readonly name: string }
  | { readonly kind: 'host'; readonly name: string }
  | { readonly kind: 'link'; readonly name: string }
  | { readonly kind: 'change'; readonly name: string }
  | { readonly kind: 'machine' | 'workers' | 'variable' };

/** Limits that are one number. */
const LIMITS = Object.entries(H200.limits)
  .filter(([, value]) => typeof value === 'number')
  .map(([name]) => name);
const HOST = ['maxConnections', 'cudaVersion', 'queueDepth', 'perThreadDefaultStream', 'implicitSynchronization'];
const ALONE = ['machine', 'workers', 'variable'] as const;

/** The valid names after each word. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  constant: [...Object.keys(DEVICE_TIMING), ...Object.keys(HOST_TIMING)],
  limit: LIMITS,
  host: HOST,
  link: LINK_NAMES,
  change: changeNames(),
};

/**
 * Reads what `varies` says: `machine`, `workers`, `variable`, or a word and a name as `constant.kernelLaunch`. Without it an
 * axis varies the parameter of its name. Throws ProgramError with the nearest valid name.
 */
export function readTarget(text: string | undefined, axis: string): Target {
  if (text === undefined) return { kind: 'parameter', name: axis };
  const alone = ALONE.find((word) => word === text);
  if (alone !== undefined) return { kind: alone };
  const at = text.indexOf('.');
  const word = at < 0 ? text : text.slice(0, at);
  const name = at < 0 ? '' : text.slice(at + 1);
  if (word === 'parameter' && name !== '') return { kind: 'parameter', name };
  const names = NAMES[word];
  if (names?.includes(name) === true) return { kind: word, name } as Target;
  const valid =
    names === undefined ? [...ALONE, 'parameter', ...Object.keys(NAMES)] : names.map((each) => `${word}.${each}`);
  const nearest = nearestName(names === undefined ? word : text, valid);
  const known = names === undefined ? `; it is one of ${valid.join(', ')}` : '';
  throw new ProgramError(`an axis cannot vary "${text}"${known}`, {
    offending: text,
    path: ['varies'],
    ...(nearest === undefined ? {} : { nearest }),
  });
}
