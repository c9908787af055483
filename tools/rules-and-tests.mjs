/**
 * Which tests show which rule of docs/RULES.md: the numbers at the beginning of a test's name say it.
 * @typedef {object} Rule
 * @property {string} id such as `5.22`
 * @property {string} text
 * @typedef {object} Section
 * @property {string} title with its number @property {Rule[]} rules
 * @typedef {object} NamedTest
 * @property {string} file from the root @property {string} name @property {readonly string[]} [within] titles of its groups
 * @typedef {object} Elsewhere a rule, or a part of one that has tests, that is not shown here
 * @property {string} rule @property {string} where the package that it belongs to, or `not modelled` @property {string} reason
 * @property {string} [part] what of the rule, if not all of it
 */

/** Sections whose rules each need a test; 2 is what 1 leads to for the checker of hazards. */
const TESTED = new Set(['1', '3', '4', '5', '6', '7', '7b']);
const SECTIONS = /^## (\d+b?)\. (.+)$/gm;
const ROW = /^\| (\d+\.\d+) \| (.+?) \| [^|]* \|$/gm;
const ITEM = /^(\d+)\. (.+)$/gm;
/** Rules that a line names one after the other: `7.1, the table; 7.2, allocation units; ...` */
const NAMED = /(\d+\.\d+), ([^;,]+)[;,]/g;
const NUMBER = /\d+\.\d+/g;
/** Tests of public reports begin with the report's id. */
const REPORT = /^\[[^\]]+\] /;
const LEADING = /^\d+\.\d+(?:(?:, | to | and )\d+\.\d+)*(?![\d.])/;

/** @param {string} page docs/RULES.md @returns {Section[]} sections with numbered rules */
export function readRules(page) {
  const heads = [...page.matchAll(SECTIONS)];
  return heads
    .map(({ index, 0: head, 1: number = '', 2: title = '' }, i) => {
      const body = page.slice(index + head.length, heads[i + 1]?.index);
      return { title: `${number}. ${title}`, rules: rulesOf(number, body) };
    })
    .filter(({ rules }) => rules.length > 0);
}

/** @param {string} section @param {string} body @returns {Rule[]} */
function rulesOf(section, body) {
  if (section === '2') return [...body.matchAll(ITEM)].map(([, n, text = '']) => ({ id: `2.${n}`, text }));
  const own = (/** @type {string} */ id) => id.startsWith(`${section.replace('b', '')}.`);
  const named = (body.split('\n').find((line) => /^\d+\.\d+, /.test(line)) ?? '').replace(/, in this order:$/, ';');
  const found = [...named.matchAll(NAMED), ...body.matchAll(ROW)];
  return found.map(([, id = '', text = '']) => ({ id, text: text.trim() })).filter(({ id }) => own(id));
}

/**
 * The rules that a test's name begins with: `5.5, 5.7 ...`, `4.1 to 4.3 ...`.
 * @param {string} name @returns {string[]}
 */
export function rulesOfTest(name) {
  const leading = LEADING.exec(name.replace(REPORT, ''))?.[0] ?? '';
  const ids = leading.match(NUMBER) ?? [];
  const ranges = [...leading.matchAll(/(\d+)\.(\d+) to \1\.(\d+)/g)];
  const between = ranges.flatMap(([, section, from, to]) =>
    Array.from({ length: Number(to) - Number(from) - 1 }, (_, i) => `${section}.${Number(from) + 1 + i}`),
  );
  return [...new Set([...ids, ...between])];
}

/**
 * What is wrong: rules without a test, tests of rules that are not there, reasons that no longer hold.
 * @param {readonly Section[]} sections @param {readonly NamedTest[]} tests @param {readonly Elsewhere[]} elsewhere
 * @returns {string[]}
 */
export function ruleProblems(sections, tests, elsewhere) {
  const known = new Set(sections.flatMap(({ rules }) => rules.map(({ id }) => id)));
  const shown = new Set(tests.flatMap(({ name }) => rulesOfTest(name)));
  const excused = new Set(elsewhere.filter(({ part }) => part === undefined).map(({ rule }) => rule));
  const needed = sections.filter(({ title }) => TESTED.has(title.split('.')[0] ?? '')).flatMap(({ rules }) => rules);
  const untested = needed.filter(({ id }) => !shown.has(id) && !excused.has(id));
  return [
    ...untested.map(({ id }) => `rule ${id} has no test whose name begins with its number`),
    ...tests.flatMap(({ file, name }) =>
      rulesOfTest(name)
        .filter((id) => !known.has(id))
        .map((id) => `${file}: "${name}" is about rule ${id}, which docs/RULES.md does not have`),
    ),
    ...elsewhere
      .filter(({ rule }) => !known.has(rule))
      .map(({ rule }) => `there is no rule ${rule} to give a reason for`),
    ...[...excused].filter((rule) => shown.has(rule)).map((rule) => `rule ${rule} has a test and needs no reason`),
  ];
}

/**
 * The page from rules to tests.
 * @param {readonly Section[]} sections @param {readonly NamedTest[]} tests @param {readonly Elsewhere[]} elsewhere
 */
export function rulesPage(sections, tests, elsewhere) {
  /** @type {Map<string, NamedTest[]>} */
  const byRule = new Map();
  for (const test of tests) {
    for (const id of rulesOfTest(test.name)) byRule.set(id, [...(byRule.get(id) ?? []), test]);
  }
  const entry = (/** @type {Rule} */ { id, text }) => {
    const shown = (byRule.get(id) ?? []).map(({ file, name, within = [] }) => {
      return `- ${escaped([...within, name].join(' › '))} (\`${file}\`)`;
    });
    const left = elsewhere
      .filter(({ rule }) => rule === id)
      .map(({ where, part, reason }) => `- *${part === undefined ? '' : `${part}, `}${where}: ${reason}*`);
    return [
      `### ${id} ${escaped(shortened(text))}`,
      '',
      ...shown,
      ...left,
      ...(shown.length + left.length > 0 ? [''] : []),
    ];
  };
  const parts = sections.flatMap(({ title, rules }) => [`## ${title}`, '', ...rules.flatMap(entry)]);
  return [
    '# From each rule to its tests',
    '',
    'Made by `npm run docs` from the names of the tests, which begin with the numbers of the rules that they show',
    '([RULES.md](RULES.md)). What a rule needs beyond the packages of today, or why it is not modelled, stands in italics',
    '(`tools/rules-elsewhere.json`). `npm run docs -- --check` fails where a rule has neither; section 2 is derived, and left out of that.',
    '',
    ...parts,
  ].join('\n');
}

const LONGEST = 100;
const SHORTEST = 30;

/** @param {string} text @returns {string} its first sentence or so */
function shortened(text) {
  const ends = [...text.matchAll(/[a-z)*][.;] /g)].map(({ index }) => index + 1);
  const first = text
    .slice(
      0,
      ends.find((end) => end >= SHORTEST),
    )
    .replaceAll('*', '');
  return first.length <= LONGEST ? first.replace(/\.$/, '') : `${first.slice(0, first.lastIndexOf(' ', LONGEST))} …`;
}

/** @param {string} text @returns {string} for a line of Markdown */
function escaped(text) {
  return text.replaceAll('<', '&lt;').replaceAll('\n', ' ');
}
