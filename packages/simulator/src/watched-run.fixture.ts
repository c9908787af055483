import { type Actor, type Context, runSequential } from '@griddep/engine';
import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { leastDelay } from './lookahead.ts';
import { prepare } from './prepare.ts';

/** A message that came sooner than it may. */
export interface Breach {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly delay: number;
  readonly least: number;
}

/** Runs a program and looks at every message between two actors: those that wait less than their least delay. */
export function breaches(program: Program, machine: Machine): Breach[] {
  const { hosts, actors } = prepare(program, machine, {});
  const found: Breach[] = [];
  const least = new Map<string, number>();
  const bound = (from: number, to: number): number => {
    const key = `${from} ${to}`;
    const known = least.get(key) ?? leastDelay(actors, from, to);
    least.set(key, known);
    return known;
  };
  const all = actors.names.map((_, id): Actor => {
    const process = actors.processOfHost(id);
    return (process < 0 ? actors.make(id) : hosts.make(process, actors)) as Actor;
  });
  runSequential(
    all.map((actor): Actor => {
      const watched = (context: Context): Context => {
        const send: Context['send'] = (to, delay, message) => {
          const { self } = context;
          const names = { from: actors.names[self] as string, to: actors.names[to] as string };
          if (to !== self && delay < bound(self, to)) {
            found.push({ ...names, type: message.type, delay, least: bound(self, to) });
          }
          context.send(to, delay, message);
        };
        return Object.assign(Object.create(context) as Context, { send });
      };
      return {
        name: actor.name,
        start: (context) => actor.start?.(watched(context)),
        receive: (message, source, context) => actor.receive(message, source, watched(context)),
        timer: (code, argument, context) => actor.timer(code, argument, watched(context)),
      };
    }),
  );
  return found;
}
