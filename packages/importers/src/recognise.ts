/** What a file is, from its first bytes (unpacked). */
export type TraceKind = 'json' | 'sqlite' | { readonly unreadable: string };

/** Bytes that `recogniseTrace` should see, where the file has as many. */
export const RECOGNITION_BYTES = 64 * 1024;

const MARKS: readonly (readonly [string, string])[] = [
  ['NVR\u0000', 'a report of Nsight Compute; it holds counters of kernels, not a timeline'],
  ['PARROT', 'a report of Nsight Systems; export it with `nsys export --type sqlite`'],
  ['CTF ', 'a trace in the Common Trace Format, which is not read'],
  ['PK\u0003\u0004', 'a ZIP archive; unpack it first'],
];

/**
 * Whether a file is a profiler's trace, and which; undefined where it looks like something else.
 * @param head its first bytes
 */
export function recogniseTrace(head: Uint8Array, path = ''): TraceKind | undefined {
  const text = latin1(head);
  if (text.startsWith('SQLite format 3\u0000')) return 'sqlite';
  if (/\.nsys-rep$|\.qdrep$/i.test(path)) {
    return { unreadable: 'is a report of Nsight Systems; export it with `nsys export --type sqlite`' };
  }
  if (/\.ncu-rep$/i.test(path)) {
    return { unreadable: 'is a report of Nsight Compute; it holds counters of kernels, not a timeline' };
  }
  const mark = MARKS.find(([begin]) => text.startsWith(begin));
  if (mark !== undefined) return { unreadable: `is ${mark[1]}` };
  if (text.startsWith('\n') && text.includes('.perfetto'))
    return { unreadable: 'is a Perfetto trace; export it as JSON' };
  const body = text.replace(/^\u00ef\u00bb\u00bf/, '').trimStart();
  if (!body.startsWith('{') && !body.startsWith('[')) return undefined;
  if (body.startsWith('[')) return /^\[\s*(\]|\{[^[\]]*"ph"\s*:)/.test(body) ? 'json' : undefined;
  if (/"schema"\s*:\s*"griddep\//.test(body)) return undefined;
  return /"(traceEvents|schemaVersion|deviceProperties|traceName|displayTimeUnit)"\s*:/.test(body) ? 'json' : undefined;
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}
