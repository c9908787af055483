import { z } from 'zod';
import { BARE_CALLS, callSchemas, SOLE_ARGUMENT } from './calls.ts';
import { documentSchema, groupSchemas } from './document.ts';
import { BARE_PHASES, phaseSchemas } from './phases.ts';

/** The JSON Schema (draft 2020-12) of program files. Every scalar may also be an expression `${...}`. */
export function programJsonSchema(): Record<string, unknown> {
  const phase = z.union([
    z.enum(BARE_PHASES),
    ...Object.entries(phaseSchemas).map(([op, argument]) => oneKey(op, argument)),
  ]);
  const call: z.ZodType = z.lazy(() =>
    z.union([
      z.enum(BARE_CALLS),
      ...Object.entries(callSchemas).map(([name, argument]) => oneKey(name, withSole(name, argument))),
      oneKey('repeat', groupSchemas.repeat(call)),
      oneKey('range', groupSchemas.range(call)),
    ]),
  );
  const node = z.union(
    Object.entries(callSchemas).map(([name, argument]) => z.strictObject({ id: z.string().min(1), [name]: argument })),
  );
  const schema = z.toJSONSchema(documentSchema({ phase, call, node }), {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    reused: 'ref',
    override: ({ jsonSchema }) => allowExpression(jsonSchema as Record<string, unknown>),
  });
  return { ...schema, title: 'griddep program' };
}

function oneKey(key: string, argument: z.ZodType): z.ZodType {
  const bare = argument instanceof z.ZodUndefined || argument instanceof z.ZodOptional;
  const description = argument.description;
  const value = bare
    ? z.union([z.null(), argument instanceof z.ZodOptional ? (argument.unwrap() as z.ZodType) : z.null()])
    : argument;
  const schema = z.strictObject({ [key]: value });
  return description === undefined ? schema : schema.describe(description);
}

function withSole(name: string, argument: z.ZodType): z.ZodType {
  const sole = SOLE_ARGUMENT[name as keyof typeof SOLE_ARGUMENT];
  if (sole !== undefined) return z.union([(argument as z.ZodObject).shape[sole] as z.ZodType, argument]);
  return (BARE_CALLS as readonly string[]).includes(name) ? argument.nullable() : argument;
}

const SCALARS = new Set(['number', 'integer', 'boolean']);

function allowExpression(schema: Record<string, unknown>): void {
  const isEnum = Array.isArray(schema.enum) && schema.type === 'string';
  if (!isEnum && !SCALARS.has(schema.type as string)) return;
  const { description, ...plain } = schema;
  for (const key of Object.keys(plain)) delete schema[key];
  schema.anyOf = [plain, { type: 'string', pattern: '\\$\\{.*\\}' }];
  if (description !== undefined) schema.description = description;
}
