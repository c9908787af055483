import { type CollectiveGroups, collectiveGroups } from '@griddep/cuda';
import { CallTable, type PackedCalls, type Program } from '@griddep/program';

/** A program as plain data that go to other threads, with the calls of some of its host threads and what all calls say. */
export type PackedProgram = Omit<Program, 'threads'> & {
  readonly groups: CollectiveGroups;
  readonly threads: readonly (Omit<Program['threads'][number], 'calls'> & {
    readonly calls: PackedCalls | undefined;
  })[];
};

/** @param of host threads whose calls go along */
export function packProgram(program: Program, of: ReadonlySet<number>): PackedProgram {
  const threads = program.threads.map((thread, i) => ({
    ...thread,
    calls: of.has(i) ? thread.calls.packed() : undefined,
  }));
  return { ...program, threads, groups: collectiveGroups(program) };
}

export function unpackProgram(packed: PackedProgram): Program {
  const threads = packed.threads.map((thread) => ({
    ...thread,
    calls: thread.calls === undefined ? new CallTable() : CallTable.unpacked(thread.calls),
  }));
  return { ...packed, threads };
}
