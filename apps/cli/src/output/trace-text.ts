import type { ImportedProgram } from '@griddep/importers';
import { PS_PER_NS, PS_PER_US, type Timeline } from '@griddep/timeline';

interface Shown {
  readonly explain?: boolean;
  readonly traced?: boolean;
}

/** How far the simulation is from the traces, and with `explain` what they do not tell. Empty without traces. */
export async function traceText(
  imported: ImportedProgram | undefined,
  timeline: Timeline,
  { explain = false, traced = false }: Shown,
): Promise<string> {
  if (imported === undefined) return '';
  const { compareReplay, findingsText } = await import('@griddep/importers');
  const replays = traced ? [] : compareReplay(imported, timeline);
  const lines = replays.map(({ file, traced: before, simulated, difference }) => {
    const change = `${difference < 0 ? '' : '+'}${(100 * difference).toFixed(2)} %`;
    return `replay ${file}: traced ${us(before)}, simulated ${us(simulated)}, ${change} (observer: profiler)\n`;
  });
  const { findings } = imported;
  const total = findings.filter(({ kind }) => kind === 'unknown').reduce((sum, { count }) => sum + count, 0);
  const hint = `not told by the trace: ${total} things; --explain lists them\n`;
  return lines.join('') + (explain ? findingsText(findings) : total > 0 ? hint : '');
}

/** The same for a JSON object: `{ replay, findings }`. */
export async function traceJson(imported: ImportedProgram | undefined, timeline: Timeline): Promise<object> {
  if (imported === undefined) return {};
  const { compareReplay } = await import('@griddep/importers');
  const replay = compareReplay(imported, timeline).map(({ file, traced, simulated, difference }) => ({
    file,
    observer: 'profiler',
    tracedNs: traced / PS_PER_NS,
    simulatedNs: simulated / PS_PER_NS,
    difference,
  }));
  return { replay, findings: imported.findings };
}

function us(picoseconds: number): string {
  return `${(picoseconds / PS_PER_US).toFixed(3)} us`;
}
