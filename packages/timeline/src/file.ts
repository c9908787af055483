import * as z from 'zod';
import { decodeBlocks, encodeBlocks } from './file-blocks.ts';
import { TextTable } from './file-columns.ts';
import { TimelineFileError } from './file-error.ts';
import { decodeOperations, encodeOperations } from './file-operations.ts';
import { TIMELINE_SCHEMA, type Timeline } from './timeline.ts';

const columns = z
  .record(z.string(), z.unknown())
  .describe('Columns by name: one entry a row, times in ps, NaN as null.');

const fileSchema = z.object({
  schema: z.literal(TIMELINE_SCHEMA),
  program: z.string(),
  machine: z.string(),
  devices: z.array(z.object({ name: z.string(), sms: z.int().nonnegative() })),
  hostTotal: z.number().nullable(),
  basis: z.array(z.object({ constant: z.string(), status: z.enum(['measured', 'documented', 'assumed']) })),
  stuck: z.array(z.string()),
  errors: z.array(z.object({ operation: z.int(), code: z.int(), name: z.string(), message: z.string() })),
  texts: z.array(z.string()),
  operations: columns,
  causes: columns,
  waits: columns,
  slowdown: columns,
  blocks: columns.optional(),
});

/** The schema of a timeline file as JSON Schema 2020-12. What stands inside the columns, `readTimeline` checks. */
export function timelineJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(fileSchema, { io: 'input' }), title: 'griddep timeline' };
}

/**
 * A timeline as text of JSON in the schema `griddep/timeline@1`: one object, operations and blocks in columns, NaN as
 * null. Throws TimelineFileError if an instant is not an integer number of picoseconds.
 */
export function writeTimeline(timeline: Timeline): string {
  const { program, machine, devices, hostTotal, basis, stuck, errors } = timeline;
  const table = new TextTable();
  const operations = encodeOperations(timeline.operations, table);
  const file: z.input<typeof fileSchema> = {
    schema: TIMELINE_SCHEMA,
    program,
    machine,
    devices: [...devices],
    hostTotal: Number.isNaN(hostTotal) ? null : hostTotal,
    basis: [...basis],
    stuck: [...stuck],
    errors: [...errors],
    texts: table.texts,
    ...operations,
    ...(timeline.blocks === undefined ? {} : { blocks: encodeBlocks(timeline.blocks) }),
  };
  return JSON.stringify(file);
}

/** Reads what `writeTimeline` wrote. Throws TimelineFileError that says what does not fit, and where. */
export function readTimeline(text: string): Timeline {
  const json = parseJson(text);
  checkVersion(json);
  const parsed = fileSchema.safeParse(json);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'file'}: ${issue.message}`);
    throw new TimelineFileError(`not a ${TIMELINE_SCHEMA} file: ${lines.join('; ')}`);
  }
  const { schema: _schema, texts, operations, causes, waits, slowdown, blocks, hostTotal, ...rest } = parsed.data;
  const decoded = decodeOperations({ operations, causes, waits, slowdown }, texts);
  return {
    ...rest,
    hostTotal: hostTotal ?? Number.NaN,
    operations: decoded,
    ...(blocks === undefined ? {} : { blocks: decodeBlocks(blocks, decoded.length) }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TimelineFileError(`not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function checkVersion(json: unknown): void {
  const schema = typeof json === 'object' && json !== null && 'schema' in json ? json.schema : undefined;
  if (schema === TIMELINE_SCHEMA) return;
  if (typeof schema === 'string' && schema.startsWith('griddep/timeline@')) {
    throw new TimelineFileError(`this file is ${schema}; this version of griddep reads ${TIMELINE_SCHEMA}`);
  }
  const found = schema === undefined ? 'it names no schema' : `its schema is ${JSON.stringify(schema)}`;
  throw new TimelineFileError(`not a timeline file: ${found}, expected "${TIMELINE_SCHEMA}"`);
}
