import type { Message } from '@griddep/engine';
import type { RecordShape } from '@griddep/engine/parallel';
import type {
  MemoryLoadMessage,
  PeerCopyDoneMessage,
  PeerCopyMessage,
  ProgressMessage,
  TransferDoneMessage,
} from '../messages.ts';

/** The fields of a message beside its type, if all of them are numbers. */
type Numbers<M> = {
  readonly [K in Exclude<keyof M, 'type'>]: M[K] extends number ? true : never;
};

/** A message as numbers in a fixed order; the types hold that every field is there and a number. */
function shape<M extends Message>(type: M['type'], numbers: Numbers<M>): RecordShape {
  return { type, numbers: Object.keys(numbers) };
}

/** Messages that are frequent and carry numbers only. */
export const MESSAGE_SHAPES: readonly RecordShape[] = [
  shape<ProgressMessage>('progress', { stream: true, op: true }),
  shape<TransferDoneMessage>('transferDone', { id: true, actual: true, alone: true }),
  shape<MemoryLoadMessage>('memoryLoad', { bytesPerSecond: true }),
  shape<PeerCopyMessage>('peerCopy', { op: true, bytes: true, destination: true, asker: true }),
  shape<PeerCopyDoneMessage>('peerCopyDone', {
    op: true,
    actual: true,
    alone: true,
    behind: true,
    from: true,
    until: true,
  }),
];
