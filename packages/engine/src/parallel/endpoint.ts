import type { MessagePort, Worker } from 'node:worker_threads';
import type { Endpoint } from 'comlink';

type Listener = (event: { data: unknown }) => void;

/** A port of Node's worker threads as comlink wants one. */
export function endpointOf(port: MessagePort | Worker): Endpoint {
  const wrapped = new Map<unknown, (data: unknown) => void>();
  return {
    postMessage: (message, transfer) => port.postMessage(message, transfer as never),
    addEventListener: (_type, listener) => {
      const handle = (data: unknown): void => {
        if (typeof listener === 'function') (listener as unknown as Listener)({ data });
        else listener.handleEvent({ data } as never);
      };
      wrapped.set(listener, handle);
      port.on('message', handle);
    },
    removeEventListener: (_type, listener) => {
      const handle = wrapped.get(listener);
      if (handle !== undefined) port.off('message', handle);
      wrapped.delete(listener);
    },
  };
}
