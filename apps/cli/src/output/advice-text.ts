import type { Advice, Answer, PairAdvice, Trial } from '@griddep/insight';
import { renderColumns } from './columns.ts';
import { signedPercent } from './number-format.ts';

const PS_PER_US = 1_000_000;
const us = (ps: number): string => (Number.isNaN(ps) ? '-' : (ps / PS_PER_US).toFixed(2));

/** Advice as text: where the time goes, pair by pair, what was tried, and what is best. */
export function adviceText(advice: Advice): string {
  const { program, machine, endToEnd, pairs, offPath, pool } = advice;
  return [
    `${program} on ${machine}: ${us(endToEnd)} us from end to end\n`,
    timeText(advice),
    ...pairs.map((pair) => pairText(pair, endToEnd)),
    offPath === 0 ? '' : `${offPath} pairs of kernels are neither on the way to the last end nor near it.\n`,
    trialsText(advice),
    pool === undefined
      ? ''
      : `Pool of streams: ${pool.tried.map(({ count, trial }) => `${count}: ${us(trial.endToEnd)} us`).join(', ')}. More than ${pool.plateau} gain nothing: what is left is ${pool.because}.\n`,
    verdictText(advice),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function timeText({ time, endToEnd }: Advice): string {
  const parts = Object.entries(time)
    .filter(([, ps]) => ps > 0)
    .sort((a, b) => b[1] - a[1])
    .map(([kind, ps]) => `${PLURAL[kind] ?? kind} ${us(ps)} us (${((100 * ps) / endToEnd).toFixed(0)} %)`);
  return `The way to the last end: ${parts.join(', ')}\n`;
}

const PLURAL: Readonly<Record<string, string>> = {
  kernel: 'kernels',
  copy: 'copies',
  'launch gap': 'launch gaps',
  wait: 'waits',
};

function pairText(pair: PairAdvice, endToEnd: number): string {
  const { primary, secondary, launches, onPath, checklist, profile, unfit, early, trigger } = pair;
  return [
    `${primary} → ${secondary}: ${launches} launches, ${onPath} on the way`,
    ...checklist.map(answerLine),
    ...(profile.length === 0 ? [] : ['  A profile of the early launch would show:', ...profile.map(answerLine)]),
    ...unfit.map((reason) => `  against it: ${reason}`),
    `  ${early.name}: ${gainText(early, endToEnd)}`,
    ...(trigger === undefined ? [] : [`  ${trigger.name}: ${gainText(trigger, endToEnd)}`]),
    '',
  ].join('\n');
}

function answerLine({ question, answer, because }: Answer): string {
  return `  ${answer.padEnd(7)} ${question} ${because}`;
}

function gainText({ gain, verdict }: Trial, endToEnd: number): string {
  if (verdict === 'impossible') return 'does not run';
  return `${verdict}, ${us(gain)} us (${signedPercent(gain / endToEnd)})`;
}

function trialsText({ trials, endToEnd }: Advice): string {
  if (trials.length === 0) return '';
  const right = { align: 'right' } as const;
  const rows = trials.map((trial) => [
    trial.name,
    us(trial.endToEnd),
    us(trial.gain),
    Number.isNaN(trial.gain) ? '-' : signedPercent(trial.gain / endToEnd),
    Number.isNaN(trial.once) ? '-' : us(Math.max(0, trial.once)),
    trial.verdict,
  ]);
  const columns = [
    { title: 'tried' },
    { title: 'us', ...right },
    { title: 'gain us', ...right },
    { title: 'gain', ...right },
    { title: 'once us', ...right },
    { title: 'verdict' },
  ];
  return renderColumns(columns, rows);
}

function verdictText({ best, endToEnd, assumed }: Advice): string {
  if (best === undefined) return 'No gain: nothing that was tried makes the whole faster.\n';
  const [least, most] = best.range;
  const range = least === most ? '' : `, ${us(least)} to ${us(most)} us by what is assumed`;
  const rests = assumed.length === 0 ? '' : ` The figures rest on ${assumed.length} assumed constants.`;
  return `Best: ${best.name}: ${us(best.gain)} us (${signedPercent(best.gain / endToEnd)})${range}.\n  ${best.change}.${rests}\n`;
}
