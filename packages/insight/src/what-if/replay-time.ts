import type { Program } from '@griddep/program';
import { type Entry, mapThreads } from '../changes/entries.ts';

/** A program whose host spends at least `time` (ps) outside CUDA right before each launch of a graph. */
export function withReplayTime(program: Program, time: number): Program {
  const least = Math.round(time);
  if (least <= 0) return program;
  return mapThreads(program, (entries) => {
    const out: Entry[] = [];
    let paused = 0;
    for (const entry of entries) {
      const { call, path } = entry;
      if (call.kind === 'hostCompute') paused += call.duration;
      else if (call.kind === 'graphLaunch' && paused < least) {
        out.push({ call: { kind: 'hostCompute', duration: least - paused }, path });
      }
      if (call.kind !== 'hostCompute' && call.kind !== 'rangePush' && call.kind !== 'rangePop') paused = 0;
      out.push(entry);
    }
    return out;
  });
}
