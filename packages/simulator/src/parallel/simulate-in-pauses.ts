import { type RunResult, runSuspendable } from '@griddep/engine';
import { nextTurn, type ShardedOptions } from '@griddep/engine/parallel';
import type { Timeline } from '@griddep/timeline';
import type { IntervalListener } from '../intervals/interval-feed.ts';
import type { SimulateOptions } from '../options.ts';
import type { Prepared } from '../prepare.ts';
import { feedOf, runOptions, wholeMachine } from '../simulate.ts';

/** Runs a prepared simulation in the calling thread, whose event loop goes on. */
export async function simulateInPauses(
  prepared: Prepared,
  options: Omit<SimulateOptions, 'onIntervals'>,
  onIntervals: IntervalListener,
  signal: ShardedOptions['signal'],
): Promise<{ readonly timeline: Timeline; readonly run: RunResult }> {
  const whole = wholeMachine(prepared);
  const feed = feedOf(prepared, onIntervals, true);
  const pause = (): Promise<void> => nextTurn(signal);
  let run: RunResult;
  try {
    run = await runSuspendable(whole.all, { ...runOptions(options, feed), pause });
  } catch (error) {
    throw whole.asLimit(error);
  }
  const ended = whole.ended(run);
  await feed?.end();
  return ended;
}
