// Actors that do what threads should survive. Plain JavaScript: worker threads load it as it is.

/** Passes a token between actors 0 and 1 every 1000 ps, and at a time does something bad. */
class Faulty {
  constructor(id, { fault, at, actor, timers }) {
    this.timers = timers;
    this.name = `actor ${id}`;
    this.id = id;
    this.fault = id === actor ? fault : undefined;
    this.at = at;
    this.kept = [];
  }

  start(context) {
    if (this.timers !== undefined) context.timer(this.timers[this.id].at, 0, 0, 0);
    else if (this.id === 0) context.send(1, 1000, { type: 'token', text: 'x'.repeat(10) });
  }

  receive(message, source, context) {
    context.about(42);
    if (this.fault !== undefined && context.now >= this.at) this.misbehave(context);
    context.send(source, 1000, message);
  }

  /** Fails at its time, after some ms of wall time. */
  timer() {
    const until = performance.now() + this.timers[this.id].after;
    while (performance.now() < until);
    throw new Error(`reached ${this.timers[this.id].at}`);
  }

  misbehave(context) {
    if (this.fault === 'throw') throw new Error('no such SM');
    if (this.fault === 'exit') process.exit(3);
    if (this.fault === 'breach') context.send(1 - this.id, 1, { type: 'early' });
    if (this.fault === 'memory') for (;;) this.kept.push(new Array(1e5).fill(context.now + this.kept.length));
    if (this.fault === 'hang') for (;;);
  }

  result() {
    return undefined;
  }
}

export function createActors(data, ids) {
  return ids.map((id) => new Faulty(id, data));
}
