export { Inbox, inboxMemory } from './inbox.ts';
export { MessageCodec, type RecordShape } from './message-codec.ts';
export { Outbox } from './outbox.ts';
export { Reader } from './reader.ts';
