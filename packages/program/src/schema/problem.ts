import { z } from 'zod';
import { type Path, ProgramError } from '../errors.ts';
import { nearestName } from '../nearest-name.ts';

type Issue = z.core.$ZodIssue;

/** Parses a value by a schema. Throws ProgramError for the first thing wrong, with its path and the nearest valid word. */
export function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw problemOf(firstOf(result.error.issues) as Issue, schema, value);
}

/** An unknown key tells more than the key that is missing in its stead. */
function firstOf(issues: readonly Issue[]): Issue | undefined {
  return issues.find((i) => i.code === 'unrecognized_keys') ?? issues[0];
}

function problemOf(issue: Issue, schema: z.ZodType, value: unknown, base: Path = []): ProgramError {
  const own = issue.path as Path;
  const path = [...base, ...own];
  const actual = own.reduce<unknown>((v, key) => (v as Record<string | number, unknown> | undefined)?.[key], value);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const key = issue.keys[0] as string;
      const valid = keysOf(schemaAt(schema, own, value));
      return withNearest(`unknown key ${JSON.stringify(key)}`, key, valid, [...path, key], true);
    }
    case 'invalid_value': {
      const valid = issue.values.map(String);
      if (actual === undefined) return missing(path);
      const wanted = valid.length === 1 ? `"${valid[0]}"` : `one of ${valid.join(', ')}`;
      return withNearest(`expected ${wanted}, got ${describe(actual)}`, String(actual), valid, path);
    }
    case 'invalid_union': {
      if (actual === undefined) return missing(path);
      const at = schemaAt(schema, own, value);
      const branch = issue.errors.findIndex((e) => !(e[0]?.code === 'invalid_type' && e[0].path.length === 0));
      const inner = firstOf(issue.errors[branch] ?? []);
      const option = at instanceof z.ZodUnion ? (at.options[branch] as z.ZodType | undefined) : undefined;
      if (inner !== undefined && option !== undefined) return problemOf(inner, option, actual, path);
      const generic = issue.message === 'Invalid input' ? `expected ${kinds(at)}` : issue.message;
      return new ProgramError(`${generic}, got ${describe(actual)}`, { path, offending: text(actual) });
    }
    case 'invalid_type':
      if (actual === undefined) return missing(path);
      return new ProgramError(`expected ${KINDS[issue.expected] ?? issue.expected}, got ${describe(actual)}`, {
        path,
        offending: text(actual),
      });
    case 'too_small':
      if (issue.origin === 'array') return new ProgramError(`needs at least ${issue.minimum} elements`, { path });
      return new ProgramError(`must be at least ${issue.minimum}, got ${describe(actual)}`, {
        path,
        offending: text(actual),
      });
    case 'too_big':
      if (issue.origin === 'array') return new ProgramError(`has more than ${issue.maximum} elements`, { path });
      return new ProgramError(`must be at most ${issue.maximum}, got ${describe(actual)}`, {
        path,
        offending: text(actual),
      });
    case 'invalid_format':
      return new ProgramError(`${describe(actual)} is no identifier (letters, digits, _)`, {
        path,
        offending: text(actual),
      });
    case 'invalid_key':
      return new ProgramError(issue.issues[0]?.message ?? 'is no name', { path, atKey: true });
    default:
      return new ProgramError(issue.message, { path, offending: text(actual) });
  }
}

/** The error for a word that is none of the valid ones. */
export function withNearest(
  problem: string,
  word: string,
  valid: readonly string[],
  path: Path,
  atKey = false,
): ProgramError {
  const nearest = nearestName(word, valid);
  return new ProgramError(problem, { offending: word, path, atKey, ...(nearest === undefined ? {} : { nearest }) });
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
  undefined: 'nothing',
};

/** A value in the words of the file's reader. */
export function describe(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return typeof value === 'string' ? `text ${JSON.stringify(text(value))}` : String(value);
}

function text(value: unknown): string {
  if (typeof value === 'object') return '';
  const all = String(value);
  return all.length > 60 ? `${all.slice(0, 57)}...` : all;
}

function missing(path: Path): ProgramError {
  return new ProgramError(`missing ${JSON.stringify(String(path.at(-1)))}`, { path });
}

function kinds(schema: z.ZodType | undefined): string {
  if (!(schema instanceof z.ZodUnion)) return 'something else';
  const words = (schema.options as z.ZodType[]).map((o) => KINDS[o.def.type] ?? o.def.type);
  return [...new Set(words)].join(' or ');
}

function keysOf(schema: z.ZodType | undefined): string[] {
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(keysOf);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** The schema that applies at a path; unions are resolved by the kind of the value there. */
function schemaAt(schema: z.ZodType | undefined, path: Path, value: unknown): z.ZodType | undefined {
  const bare = unwrap(schema);
  const [key, ...rest] = path;
  if (key === undefined || bare === undefined) return bare;
  const inner = (value as Record<string | number, unknown> | undefined)?.[key];
  if (bare instanceof z.ZodObject) return schemaAt(bare.shape[key] as z.ZodType | undefined, rest, inner);
  if (bare instanceof z.ZodRecord) return schemaAt(bare.valueType as z.ZodType, rest, inner);
  if (bare instanceof z.ZodArray) return schemaAt(bare.element as z.ZodType, rest, inner);
  return undefined;
}

function unwrap(schema: z.ZodType | undefined): z.ZodType | undefined {
  let bare = schema;
  while (bare instanceof z.ZodOptional || bare instanceof z.ZodNullable) bare = bare.unwrap() as z.ZodType;
  return bare;
}
