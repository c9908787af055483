const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const LONGEST = 400;

/** Text for HTML, cut where nobody would read on: what a file calls something can be a megabyte. */
export function text(value: string, longest = LONGEST): string {
  const shown = value.length <= longest ? value : `${value.slice(0, longest)}… (${value.length} characters)`;
  return shown.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

export interface TableColumn {
  readonly title: string;
  readonly isNumber?: boolean;
}

/** A table with a caption; cells are texts. */
export function table(caption: string, columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string {
  const head = columns.map(({ title, isNumber }) => `<th scope="col"${classOf(isNumber)}>${text(title)}</th>`).join('');
  const body = rows
    .map((row) => `<tr>${row.map((cell, i) => `<td${classOf(columns[i]?.isNumber)}>${text(cell)}</td>`).join('')}</tr>`)
    .join('\n');
  return `<div class="wide" tabindex="0" role="group" aria-label="${text(caption)}"><table><caption>${text(caption)}</caption><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>`;
}

function classOf(isNumber = false): string {
  return isNumber ? ' class="number"' : '';
}

const STYLE = `
:root { color-scheme: light dark; --back: #fff; --ink: #1b1f24; --muted: #59636e; --line: #d5dbe2; --band: #f5f7f9; --accent: #0b5cad }
@media (prefers-color-scheme: dark) { :root { --back: #14181d; --ink: #e8edf2; --muted: #a7b1bc; --line: #39424c; --band: #1b2027; --accent: #7cbcff } }
body { margin: 0 auto; padding: 16px; max-width: 1240px; background: var(--back); color: var(--ink); font: 14px/1.5 Inter, "Helvetica Neue", Arial, sans-serif }
h1 { font-size: 22px; overflow-wrap: anywhere } h2 { font-size: 17px; margin-top: 28px; border-top: 1px solid var(--line); padding-top: 12px }
a { color: var(--accent) }
.muted { color: var(--muted) }
.wide { overflow: auto; max-height: 560px }
.picture { overflow-x: auto; background: #fff; border: 1px solid var(--line) } .picture svg { display: block; max-width: 100%; height: auto }
table { border-collapse: collapse } caption { text-align: left; font-weight: 600; padding: 6px 0 }
th, td { text-align: left; vertical-align: top; padding: 2px 14px 2px 0; border-bottom: 1px solid var(--line) } th { color: var(--muted); font-weight: 600 }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
pre { overflow: auto; max-height: 480px; background: var(--band); padding: 10px; border: 1px solid var(--line) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px } dt { color: var(--muted) } dd { margin: 0; overflow-wrap: anywhere }
@media print { .wide, pre { max-height: none } }`;

/** A whole page without scripts; nothing in it may load anything. */
export function page(title: string, body: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${text(title, 120)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body.join('\n')}
</main>
</body>
</html>
`;
}
