import { EventQueue } from '@griddep/engine';
import { PHOLD_DEFAULTS, type PholdOptions, PholdProcess } from '@griddep/engine/examples';

/** PHOLD as a loop over the engine's queue, without contexts, messages or checks; returns the number of events. */
export function barePhold(options: Partial<PholdOptions>): number {
  const all = { ...PHOLD_DEFAULTS, ...options };
  const queue = new EventQueue();
  const processes = Array.from({ length: all.actors }, (_, id) => new PholdProcess(id, all));
  const sequences = new Float64Array(all.actors);
  let now = 0;
  const schedule = (id: number): void => {
    const draw = (processes[id] as PholdProcess).draw(id, now);
    if (draw === undefined) return;
    const sequence = sequences[id] as number;
    sequences[id] = sequence + 1;
    queue.push(draw.at, 0, id, sequence, draw.target, 0, 0, undefined);
  };
  for (let id = 0; id < all.actors; id++) for (let i = 0; i < all.population; i++) schedule(id);
  let events = 0;
  while (queue.pop()) {
    now = queue.time;
    (processes[queue.target] as PholdProcess).note(queue.source, now);
    schedule(queue.target);
    events++;
  }
  return events;
}
