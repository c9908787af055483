import type { Finding } from '../finding.ts';
import type { Execution } from '../order/execution.ts';
import type { Places } from '../places.ts';
import type { Recorded } from '../program/recorder.ts';

export function deadlockFindings(_recorded: Recorded, _execution: Execution, _places: Places): Finding[] {
  return [];
}
