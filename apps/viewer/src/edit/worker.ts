import { type EditRequest, simulateEdit } from './simulate-edit.ts';

addEventListener('message', ({ data }: MessageEvent<EditRequest>) => {
  try {
    postMessage({ run: simulateEdit(data) });
  } catch (error) {
    postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
});
