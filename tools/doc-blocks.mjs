/**
 * Blocks of a page that are made, not written: a fenced block below a comment. `<!-- file PATH -->` holds a file,
 * `<!-- output COMMAND -->` what a command prints, `<!-- part NAME -->` (no fence, up to `<!-- end -->`) generated text.
 * @typedef {object} Makers
 * @property {(path: string) => string} file content of a file
 * @property {(command: string) => string} output what a command prints
 * @property {(name: string) => string} part generated markdown
 */

const FENCED = /(<!-- (file|output) (.+?) -->\n```[^\n]*\n)[\s\S]*?(^```$)/gm;
const PART = /(<!-- part (\S+) -->\n)[\s\S]*?(<!-- end -->)/g;
const SHELL = /^```sh\n([\s\S]*?)^```$/gm;
const SCRIPT = /^```js\n([\s\S]*?)^```$/gm;

/**
 * The page with its made blocks as they should be.
 * @param {string} page @param {Makers} makers @returns {string}
 */
export function fillBlocks(page, { file, output, part }) {
  return page
    .replace(PART, (_, head, name, end) => `${head}\n${part(name).trim()}\n\n${end}`)
    .replace(FENCED, (_, head, kind, what, end) => `${head}${ended((kind === 'file' ? file : output)(what))}${end}`);
}

/**
 * What of a page's made blocks holds nothing: a command that failed in a pipe, a part without a maker.
 * @param {string} page @returns {string[]}
 */
export function emptyBlocks(page) {
  const fenced = [...page.matchAll(FENCED)].filter(([block]) => /^```[^\n]*\n\s*```$/m.test(block));
  const parts = [...page.matchAll(PART)].filter(([block, head = '', , end = '']) => {
    return block.slice(head.length, -end.length).trim() === '';
  });
  return [...fenced.map(([, , kind, what]) => `${kind} ${what}`), ...parts.map(([, , name]) => `part ${name}`)];
}

/**
 * The lines of a page's shell blocks that call griddep, in order, without what a comment says.
 * @param {string} page @returns {string[]}
 */
export function commandsOf(page) {
  return [...page.matchAll(SHELL)]
    .flatMap(([, block = '']) => block.replaceAll(/\s*\\\n\s*/g, ' ').split('\n'))
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => /(^|\| )griddep /.test(line));
}

/** @param {string} page @returns {string[]} its blocks of JavaScript, each a script that runs */
export function scriptsOf(page) {
  return [...page.matchAll(SCRIPT)].map(([, script = '']) => script);
}

/** @param {string} text @returns {string} without blanks at line ends, and with one line end at the last */
function ended(text) {
  return `${text.replaceAll(/[ \t]+$/gm, '').trimEnd()}\n`;
}
