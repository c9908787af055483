import type { Notes } from './advice-notes.ts';
import type { Call } from './calls.ts';
import type { Program } from './program.ts';

interface Member {
  readonly collective: string;
  readonly bytes: number;
  readonly device: number;
}

/**
 * The n-th collectives of a group's members that are not the same one: they meet all the same here, and nothing is defined for
 * them where they run. Over all host threads; groups in captured or hand-made graphs are not followed.
 */
export class CollectiveAdvice {
  private readonly program: Program;
  private readonly found: Notes;
  private readonly follows: boolean;
  /** By group and place, the first that was called. */
  private readonly first = new Map<string, Member>();
  /** Collectives so far, by group and device. */
  private readonly counts = new Map<string, number>();

  constructor(program: Program, found: Notes) {
    this.program = program;
    this.found = found;
    this.follows = program.graphs.size === 0 && program.threads.every(({ calls }) => !captures(calls));
  }

  next(call: Call, place: () => string): void {
    const { kernels, streams } = this.program;
    if (!this.follows || (call.kind !== 'collective' && call.kind !== 'launchKernel')) return;
    const body = call.kind === 'collective' ? call : kernels.get(call.kernel)?.body;
    if (body?.kind !== 'collective') return;
    const { collective, bytes, group } = body;
    const device = streams.get(call.stream)?.device ?? 0;
    const count = this.counts.get(`${device} ${group}`) ?? 0;
    this.counts.set(`${device} ${group}`, count + 1);
    const key = `${count} ${group}`;
    const other = this.first.get(key);
    if (other === undefined) this.first.set(key, { collective, bytes, device });
    else if (other.collective !== collective || other.bytes !== bytes) {
      const what = (m: Member): string => `${m.collective} of ${m.bytes} bytes on device ${m.device}`;
      this.found.add(
        '',
        place(),
        `collective ${count + 1} of group "${group}" is ${what(other)} and ${what({ collective, bytes, device })}: its members have to call the same`,
      );
    }
  }
}

function captures(calls: Program['threads'][number]['calls']): boolean {
  for (let shape = 0; shape < calls.distinct; shape++) {
    if (calls.distinctCall(shape).kind === 'streamBeginCapture') return true;
  }
  return false;
}
