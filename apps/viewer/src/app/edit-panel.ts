import { listMachines } from '@griddep/machine';
import { type Program, readProgram } from '@griddep/program';
import { type Edit, programmaticLaunches } from '../edit/edit-program.ts';
import { make, shortened } from './dom.ts';

export interface EditChoice {
  readonly edit: Edit;
  readonly machineName?: string;
}

const KEEP = 'as it is';

/** A form for what can be changed of a program; each change is handed on at once. */
export function editPanel(programText: string, machineName: string, change: (choice: EditChoice) => void): HTMLElement {
  const program = readProgram(programText, { file: 'program.json' });
  const names = [...program.kernels.keys()];
  const devices = new Set([...program.streams.values()].map(({ device }) => device)).size;
  const streams = Math.max(1, Math.round(program.streams.size / Math.max(1, devices)));
  const kernel = selectOf('edit-kernel', names);
  const work = make('input', { id: 'edit-work', type: 'number', min: '0.01', max: '1000', step: 'any', value: '1' });
  const pdl = selectOf('edit-pdl', [KEEP, 'on', 'off']);
  const trigger = make('select', { id: 'edit-trigger' });
  const count = make('input', { id: 'edit-streams', type: 'number', min: '1', max: '1024', value: String(streams) });
  const machine = selectOf('edit-machine', [KEEP, ...machinesLike(machineName)]);
  const state = make('span', { class: 'note' });
  const fillTrigger = () => {
    const phases = phaseNames(program, kernel.value);
    trigger.replaceChildren(
      make('option', { value: '' }, KEEP),
      ...phases.map((name, i) => make('option', { value: String(i) }, `before ${name}`)),
      make('option', { value: String(phases.length) }, 'at the end'),
      make('option', { value: 'never' }, 'never'),
    );
    state.textContent = `of its launches now: ${programmaticLaunches(program, kernel.value)}`;
  };
  const send = () => {
    const edit: Edit = {
      kernel: kernel.value,
      ...(work.valueAsNumber > 0 ? { work: work.valueAsNumber } : {}),
      ...(pdl.value === KEEP ? {} : { programmatic: pdl.value === 'on' }),
      ...(trigger.value === '' ? {} : { trigger: trigger.value === 'never' ? 'never' : Number(trigger.value) }),
      ...(count.valueAsNumber >= 1 && count.valueAsNumber !== streams
        ? { streams: Math.floor(count.valueAsNumber) }
        : {}),
    };
    change({ edit, ...(machine.value === KEEP ? {} : { machineName: machine.value }) });
  };
  fillTrigger();
  kernel.addEventListener('change', () => {
    work.value = '1';
    pdl.value = KEEP;
    fillTrigger();
  });
  for (const control of [work, pdl, trigger, count, machine]) control.addEventListener('change', send);
  const line = (label: string, control: HTMLElement, ...more: HTMLElement[]) =>
    make('p', {}, make('label', { for: control.id }, label), control, ...more);
  return make(
    'form',
    { id: 'edit-form', submit: (event) => event.preventDefault() },
    line('Kernel', kernel),
    line('Its work, times', work),
    line('PDL attribute', pdl),
    state,
    line('Its trigger', trigger),
    line('Streams of a device', count),
    line('Machine', machine),
  );
}

function selectOf(id: string, options: readonly string[]): HTMLSelectElement {
  return make('select', { id }, ...options.map((value) => make('option', { value }, shortened(value, 60))));
}

/** The catalogue's devices, as many as there are now. */
function machinesLike(name: string): string[] {
  const count = /x\d+(x\d+)?$/.exec(name)?.[0] ?? '';
  return listMachines().map((machine) => machine.name + count);
}

function phaseNames(program: Program, name: string): string[] {
  const body = program.kernels.get(name)?.body;
  if (body?.kind !== 'phases') return [];
  const [role] = body.roles;
  const phases = (role?.phases ?? []).filter(({ op }) => op !== 'trigger');
  return phases.map(({ op }, i) => `${op} (phase ${i + 1})`);
}
