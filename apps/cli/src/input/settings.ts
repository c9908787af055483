import { InputError } from './input-error.ts';

/** Values of parameters as text, by name, as `--set name=value` gives them. */
export type Settings = Readonly<Record<string, string>>;

/** Parses `name=value` texts; a later one of the same name replaces an earlier. Throws InputError. */
export function parseSettings(texts: readonly string[]): Settings {
  const entries = texts.map((text): [string, string] => {
    const at = text.indexOf('=');
    if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1)];
    throw new InputError(`--set ${text}: expected name=value, such as --set layers=4`);
  });
  return Object.fromEntries(entries);
}
