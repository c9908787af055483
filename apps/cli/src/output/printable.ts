/**
 * Characters that a terminal obeys instead of showing: controls, and those that turn the direction of text. Lines may break.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Text with such characters written as `\u001b`, so that names from files cannot change what a user sees. In JSON, where they
 * stand in texts only, that means the same.
 */
export function printable(text: string): string {
  return text.replace(OBEYED, escaped);
}

/** The same for what must stay in its line. */
export function printableLine(text: string): string {
  return printable(text).replaceAll('\n', '\\n');
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
