/** What a schema finds wrong, as far as it is looked at. */
export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly errors?: readonly (readonly Issue[])[];
  readonly expected?: string;
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly inclusive?: boolean;
  readonly values?: readonly unknown[];
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a map',
};

/** An issue in the words of the file's author. */
export function plainWords(issue: Issue, value: unknown): string {
  const { code, expected = '', origin } = issue;
  const many = origin === 'array' || origin === 'tuple';
  if (value === undefined && (code === 'invalid_type' || code === 'invalid_union' || code === 'invalid_value'))
    return 'is missing';
  switch (code) {
    case 'invalid_type':
      return `expected ${KINDS[expected] ?? expected}, got ${shown(value)}`;
    case 'invalid_value':
      return `expected ${(issue.values ?? []).map((each) => `"${each}"`).join(' or ')}, got ${shown(value)}`;
    case 'invalid_union':
      return issue.message === 'Invalid input'
        ? `expected a number, a text with a unit or a map, got ${shown(value)}`
        : `${issue.message}, got ${shown(value)}`;
    case 'too_small':
      if (origin === 'string') return 'must not be empty';
      if (many) return `needs at least ${issue.minimum} elements`;
      // Of whole numbers, more than 0 is at least 1.
      return `must be at least ${issue.inclusive === false ? Number(issue.minimum) + 1 : issue.minimum}, got ${shown(value)}`;
    case 'too_big':
      return many ? `has more than ${issue.maximum} elements` : `must be at most ${issue.maximum}, got ${shown(value)}`;
    default:
      return issue.message;
  }
}

function shown(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
