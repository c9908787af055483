import { ExportError } from './export-error.ts';

/** A text as a literal of C++ that is the inside of a JSON text too: the written program prints it as it is. */
export function quoted(text: string): string {
  if (/[^\x20-\x7e]/.test(text)) throw new ExportError(`${JSON.stringify(text)}: only ASCII names can be written out`);
  return JSON.stringify(JSON.stringify(text).slice(1, -1));
}

/** The longest literal that every compiler takes. */
const PART = 8000;

/** A long text as raw literals of C++ one after another. */
export function rawText(text: string): string {
  const parts: string[] = [];
  for (let i = 0; i < text.length; i += PART) parts.push(`R"griddep(${text.slice(i, i + PART)})griddep"`);
  return parts.join('\n');
}
