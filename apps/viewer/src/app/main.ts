import type { ViewRun } from '../data/view-document.ts';
import { byId, make, shortened } from './dom.ts';
import { type EditChoice, editPanel } from './edit-panel.ts';
import { find } from './find.ts';
import { KEYS, listenToKeys } from './keyboard.ts';
import { followRun } from './live-run.ts';
import { type LoadedRun, load, type Selection } from './model.ts';
import { fragmentData, fromBase64, linkTo, runsOf } from './open.ts';
import { changesPanel, criticalOf, findingsPanel, listPanel, runsPanel, section } from './panels.ts';
import { listenToPointer } from './pointer.ts';
import { runEdit } from './run-edit.ts';
import { selectionPanel } from './selection-panel.ts';
import { TimelineView } from './view.ts';

const canvas = byId<HTMLCanvasElement>('canvas');
const scroll = byId('scroll');
const view = new TimelineView(canvas, scroll, byId('spacer'));
const status = byId('status');
// Both scroll, and so must be within reach of the keyboard.
for (const [element, role, label] of [
  [scroll, 'group', 'Timeline. W and S zoom, A and D move, arrow keys select, question mark for help.'],
  [byId('details'), 'complementary', 'Details'],
] as const) {
  element.tabIndex = 0;
  element.setAttribute('role', role);
  element.setAttribute('aria-label', label);
}
const slots = {
  progress: make('div'),
  selection: make('div'),
  lists: make('div'),
  runs: make('div'),
  edit: make('div'),
};
byId('panel').append(slots.progress, slots.selection, slots.lists, slots.edit, slots.runs);
let critical = false;
/** The runs as they were opened, without what an edit made of them. */
let opened: LoadedRun[] = [];

function say(text: string, isError = false): void {
  status.textContent = shortened(text, 600);
  status.className = isError ? 'error' : '';
}

/** Runs work whose failure is for the reader. */
async function attempt(what: string, work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    say(`${what}: ${error instanceof Error ? error.message : String(error)}`, true);
  }
}

const select = (selection: Selection) => view.select(selection, true);

function showRuns(runs: readonly LoadedRun[], keepRange = false): void {
  view.show(runs, keepRange);
  const { changes } = view;
  const findings = findingsPanel(runs, select);
  slots.runs.replaceChildren(
    ...(changes === undefined ? [] : [changesPanel(changes.comparison, select)]),
    ...(findings === undefined ? [] : [findings]),
    runsPanel(runs),
  );
  if (!keepRange) view.select(undefined);
  refreshEmphasis();
}

/** The range stays when `keepRange`, as after what has been shown while the run went on. */
function open(runs: readonly ViewRun[], keepRange = false): void {
  opened = runs.map(load);
  view.select(undefined);
  showRuns(opened, keepRange);
  slots.edit.replaceChildren();
  const [first] = opened;
  if (first?.run.program === undefined) return;
  const { program, machine } = first.run;
  const help = 'Each change simulates the first run again, here in this page, and shows it beside the original.';
  const form = editPanel(program, first.store.columns.head.machine, (choice) => edit(program, machine, choice));
  const reset = make('button', { type: 'button', id: 'edit-reset', click: () => open(runs) }, 'Back to the original');
  slots.edit.append(section('edit', 'Change and simulate', [make('p', {}, help), form, reset], false));
}

let edits = 0;

function edit(program: string, machine: string | undefined, { edit: change, machineName }: EditChoice): Promise<void> {
  const [first] = opened;
  const mine = ++edits;
  say('simulating …');
  return attempt('this change', async () => {
    if (first === undefined) return;
    const request = { program, edit: change };
    const edited = await runEdit({
      ...request,
      ...(machineName === undefined ? {} : { machineName }),
      ...(machine === undefined ? {} : { machine }),
    });
    if (mine !== edits) return;
    const run = {
      title: `${first.run.title}, changed`,
      columns: edited.columns,
      findings: [],
      program: edited.program,
    };
    showRuns([first, load(run)], true);
    say(byId('makespan-change').textContent ?? '');
  });
}

function refreshEmphasis(): void {
  const query = byId<HTMLInputElement>('search').value.trim();
  slots.lists.replaceChildren();
  view.emphasis = view.runs.map(() => undefined);
  if (query !== '') {
    const hits = view.runs.map(({ store }) => find(store, query));
    view.emphasis = hits;
    const all = hits.flatMap((set, run) => [...set].map((operation) => ({ run, operation })));
    slots.lists.append(listPanel('found', `Found (${all.length})`, view.runs, all, select));
    say(`${all.length} operations found`);
  } else if (critical && !view.runs.some(({ isRunning }) => isRunning)) {
    const path = criticalOf(view.runs);
    view.emphasis = view.runs.map((_, run) => new Set(path.filter((each) => each.run === run).map((p) => p.operation)));
    slots.lists.append(listPanel('critical', `Critical path (${path.length})`, view.runs, path, select));
  }
  view.redraw();
}

view.onSelect = () => {
  const { selection } = view;
  const loaded = selection === undefined ? undefined : view.runs[selection.run];
  slots.selection.replaceChildren();
  if (selection === undefined || loaded === undefined) return;
  const go = (operation: number) => select({ run: selection.run, operation });
  slots.selection.append(selectionPanel(loaded, selection, go));
  say(`${loaded.store.name(selection.operation).slice(0, 120)} selected`);
};

function button(id: string, text: string, click: () => void, title = ''): HTMLButtonElement {
  return make('button', { id, type: 'button', click, ...(title === '' ? {} : { title }) }, text);
}

function toggle(id: string, text: string, change: (isOn: boolean) => void): HTMLButtonElement {
  const made = button(id, text, () => {
    const isOn = made.getAttribute('aria-pressed') !== 'true';
    made.setAttribute('aria-pressed', String(isOn));
    change(isOn);
  });
  made.setAttribute('aria-pressed', 'false');
  return made;
}

async function openFiles(files: Iterable<File>): Promise<void> {
  const list = [...files];
  await attempt(list.map(({ name }) => name).join(', '), async () => {
    const runs: ViewRun[] = [];
    for (const file of list) runs.push(...(await runsOf(new Uint8Array(await file.arrayBuffer()), file.name)));
    if (runs.length > 0) open(runs);
    say(`opened ${list.map(({ name }) => name).join(', ')}`);
  });
}

const criticalToggle = toggle('critical-path', 'Critical path', (isOn) => {
  critical = isOn;
  refreshEmphasis();
});
const file = make('input', { id: 'file', type: 'file', multiple: true, hidden: true, 'aria-label': 'Files to open' });
file.addEventListener('change', () => void openFiles(file.files ?? []));
const help = byId<HTMLDialogElement>('help');

function showHelp(): void {
  const rows = KEYS.map(([keys, what]) =>
    make('tr', {}, make('th', { scope: 'row' }, make('kbd', {}, keys)), make('td', {}, what)),
  );
  const mouse =
    'Click selects, drag measures, drag with Shift moves, wheel with Ctrl zooms. Drop one file to see it, two to compare them.';
  const marks =
    'A hatched part runs before its wait returned; a wedge is the last trigger; a shaded band is where a kernel runs beside the one that let it in; a dark notch holds a kernel of one block too short to draw.';
  help.replaceChildren(
    make('h2', { id: 'help-title' }, 'Keys and marks'),
    make('table', {}, make('tbody', {}, ...rows)),
    make('p', {}, mouse),
    make('p', {}, marks),
    button('help-close', 'Close', () => help.close()),
  );
  help.showModal();
}

function savePicture(): void {
  canvas.toBlob((blob) => {
    if (blob === null) return;
    const url = URL.createObjectURL(blob);
    make('a', { href: url, download: 'timeline.png' }).click();
    URL.revokeObjectURL(url);
  });
}

function setTheme(theme: 'light' | 'dark'): void {
  document.documentElement.setAttribute('data-theme', theme);
  view.setTheme();
}

const dark = matchMedia('(prefers-color-scheme: dark)');
setTheme(dark.matches ? 'dark' : 'light');
dark.addEventListener('change', () => setTheme(dark.matches ? 'dark' : 'light'));

byId('toolbar').append(
  button('open', 'Open…', () => file.click()),
  file,
  button('zoom-in', '+', () => view.zoomBy(1 / 1.5), 'Zoom in (W)'),
  button('zoom-out', '−', () => view.zoomBy(1.5), 'Zoom out (S)'),
  button('fit', 'All', () => view.setRange(view.whole), 'Show everything (0)'),
  toggle('arrows', 'All arrows', (isOn) => {
    view.allArrows = isOn;
    view.redraw();
  }),
  criticalToggle,
  button('theme', 'Light/dark', () =>
    setTheme(document.documentElement.getAttribute('data-theme') === 'dark' ? 'light' : 'dark'),
  ),
  button('picture', 'Save PNG', savePicture),
  button('link', 'Copy link', () => void attempt('link', copyLink), 'A link that holds the program'),
  button('help-open', 'Help', showHelp),
);

function link(): Promise<string> {
  const program = opened[0]?.run.program;
  if (program === undefined) throw new Error('only a program fits into a link');
  return linkTo(program);
}

async function copyLink(): Promise<void> {
  await navigator.clipboard.writeText(await link());
  say('copied');
}

listenToPointer(canvas, view);
listenToKeys(scroll, view, {
  search: () => byId('search').focus(),
  help: showHelp,
  critical: () => criticalToggle.click(),
});
let pending: ReturnType<typeof setTimeout> | undefined;
byId('search').addEventListener('input', () => {
  clearTimeout(pending);
  pending = setTimeout(refreshEmphasis, 150);
});
for (const type of ['dragenter', 'dragover'] as const) {
  document.addEventListener(type, (event) => {
    event.preventDefault();
    document.body.classList.add('drop');
  });
}
document.addEventListener('dragleave', () => document.body.classList.remove('drop'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('drop');
  void openFiles(event.dataTransfer?.files ?? []);
});

/** For measuring from outside. */
Object.assign(window, { griddepView: Object.assign(view, { link }) });

async function start(): Promise<void> {
  const source = JSON.parse(byId('griddep-source').textContent ?? 'null') as
    | null
    | { readonly data: string }
    | { readonly base64: string }
    | { readonly live: string; readonly data: string };
  const inFragment = fragmentData(location.hash);
  if (inFragment !== undefined) open(await runsOf(inFragment, 'link'));
  else if (source === null) say('Drop a program or a saved timeline here, or open one.');
  else if ('base64' in source) open(await runsOf(fromBase64(source.base64), 'file'));
  else {
    const isLive = 'live' in source;
    if (isLive)
      await followRun(source.live, { say, show: (run) => showRuns([run], view.runs.length > 0), slot: slots.progress });
    const response = await fetch(source.data);
    if (!response.ok) throw new Error(`the server answered ${response.status}: ${await response.text()}`);
    open(await runsOf(new Uint8Array(await response.arrayBuffer()), 'served'), isLive);
    say('');
  }
  document.documentElement.setAttribute('data-ready', 'true');
}

addEventListener('hashchange', () => void attempt('opening', start));
void attempt('opening', start);
