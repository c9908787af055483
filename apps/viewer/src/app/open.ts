import { machineByName } from '@griddep/machine';
import { writeMachine } from '@griddep/machine/file';
import { readProgram, writeProgramJson } from '@griddep/program';
import { readTimeline, TIMELINE_SCHEMA } from '@griddep/timeline';
import { columnsOf } from '../data/columns.ts';
import { isFrame } from '../data/frame.ts';
import { unpackView, type ViewRun } from '../data/view-document.ts';
import { runEdit } from './run-edit.ts';

/** Longer links are refused by some programs that pass them on. */
const LONGEST_FRAGMENT = 2_000_000;

/**
 * The runs in a file: bytes that `griddep view` makes, a saved timeline, or a program, which is simulated on an H200
 * (or as many as it uses). Files packed with gzip are unpacked. Throws Error with a message for the reader.
 */
export async function runsOf(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<ViewRun[]> {
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? await through(bytes, new DecompressionStream('gzip')) : bytes;
  if (isFrame(plain)) return unpackView(plain);
  const text = new TextDecoder().decode(plain);
  if (text.slice(0, 4096).includes(TIMELINE_SCHEMA.split('@')[0] ?? TIMELINE_SCHEMA)) {
    return [{ title: name, columns: columnsOf(readTimeline(text)), findings: [] }];
  }
  const program = readProgram(text, { file: name });
  const devices = [...program.streams.values(), ...program.threads].map(({ device }) => device);
  const count = Math.max(0, ...devices) + 1;
  const machine = writeMachine(machineByName(count === 1 ? 'h200' : `h200x${count}`), 'json');
  const json = writeProgramJson(program);
  const { columns } = await runEdit({ program: json, machine, edit: {} });
  return [{ title: program.name || name, columns, findings: [], program: json, machine }];
}

/** The address of this page with a program or timeline in its fragment, which no server ever sees. */
export async function linkTo(text: string): Promise<string> {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream('gzip'));
  const fragment = `#data=${toBase64(packed).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')}`;
  if (fragment.length > LONGEST_FRAGMENT) throw new Error('too much for a link; save the file instead');
  return location.href.replace(/#.*/, '') + fragment;
}

/** What `linkTo` put into a fragment; undefined where there is none. */
export function fragmentData(fragment: string): Uint8Array<ArrayBuffer> | undefined {
  const encoded = /^#data=([\w-]+)/.exec(fragment)?.[1];
  return encoded === undefined ? undefined : fromBase64(encoded.replace(/-/g, '+').replace(/_/g, '/'));
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await response.arrayBuffer());
}
