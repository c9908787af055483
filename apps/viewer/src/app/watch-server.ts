/** One line of what a simulation that still runs reports. */
interface Progress {
  readonly text: string;
  readonly isDone: boolean;
}

/** Tells how far the simulation is, until it is done. Rejects where the server goes away. */
export function watchServer(path: string, say: (text: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const events = new EventSource(path);
    events.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const { text, isDone } = JSON.parse(data) as Progress;
      say(text);
      if (!isDone) return;
      events.close();
      resolve();
    });
    events.addEventListener('error', () => {
      events.close();
      reject(new Error('the simulation went away'));
    });
  });
}
