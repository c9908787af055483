type Attributes = Readonly<Record<string, string | number | undefined>>;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

// Characters that XML 1.0 has no way to write, not even escaped, among them surrogates without their other half.
const UNWRITABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Text for XML: the five special characters escaped, what XML cannot hold replaced by U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(UNWRITABLE, '\u{fffd}').replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** An element; `children` is markup already, attributes are escaped, numbers keep two decimals. */
export function element(name: string, attributes: Attributes, children = ''): string {
  let text = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) text += ` ${key}="${typeof value === 'number' ? round(value) : escapeXml(value)}"`;
  }
  return children === '' ? `${text}/>` : `${text}>${children}</${name}>`;
}

/** A coordinate with two decimals, which is finer than any display. */
export function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}
