import type { EditedRun, EditRequest } from '../edit/simulate-edit.ts';
import EditWorker from '../edit/worker.ts?worker&inline';

/** Simulates in a thread of its own, so that the page stays quick. Rejects with the message of what is wrong. */
export function runEdit(request: EditRequest): Promise<EditedRun> {
  const worker = new EditWorker();
  return new Promise<EditedRun>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<{ run?: EditedRun; error?: string }>) => {
      if (data.run === undefined) reject(new Error(data.error));
      else resolve(data.run);
    });
    worker.addEventListener('error', (event) => reject(new Error(event.message || 'the simulation failed')));
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
