import { deviceByName, listMachines } from './catalogue.ts';
import type { Constant } from './constant.ts';
import type { DeviceLimits, DeviceProfile, HostProfile } from './machine.ts';
import { H200, H200_LINK_BANDWIDTH, H200_LINK_LATENCY } from './profiles/h200.ts';
import { MEASURED_HOST } from './profiles/hosts.ts';
import { DEVICE_TIMING, HOST_TIMING } from './timing.ts';

type Row = readonly string[];
type Meanings = Readonly<Record<string, { readonly meaning: string }>>;

/** The catalogue for the documentation: limits of every device, and each constant with what it rests on. */
export function machinesMarkdown(): string {
  const devices = listMachines().map(({ name }) => deviceByName(name));
  const others = devices.filter((device) => device !== H200);
  return [
    '## Limits',
    limitsTable(devices),
    devices.map(({ name, limitsSource }) => `- \`${name}\`: ${limitsSource}.`).join('\n'),
    '## Timing of the H200',
    constantsTable(H200.timing, DEVICE_TIMING),
    '## NVLink of the H200',
    constantsTable(
      { bandwidth: H200_LINK_BANDWIDTH, latency: H200_LINK_LATENCY },
      {
        bandwidth: { meaning: 'of one device to the switch, per direction' },
        latency: { meaning: 'completion on one device to its being seen by a stream of another' },
      },
    ),
    '## The host',
    hostText(MEASURED_HOST),
    constantsTable(MEASURED_HOST.timing, HOST_TIMING),
    ...others.flatMap((device) => [`## Timing of the ${device.name}`, differences(device)]),
    '',
  ].join('\n\n');
}

function limitsTable(devices: readonly DeviceProfile[]): string {
  const rows = (Object.keys(H200.limits) as (keyof DeviceLimits)[]).map((name) => [
    `\`${name}\``,
    ...devices.map(({ limits }) => [limits[name]].flat().join(', ')),
  ]);
  const capability = ['compute capability', ...devices.map((device) => device.computeCapability.join('.'))];
  return table(['limit (sizes in bytes)', ...devices.map(({ name }) => name)], [capability, ...rows]);
}

function hostText(host: HostProfile): string {
  const { cudaVersion, maxConnections, queueDepth, perThreadDefaultStream, implicitSynchronization } = host;
  const version = `${Math.floor(cudaVersion / 1000)}.${(cudaVersion % 1000) / 10}`;
  const stream = perThreadDefaultStream ? 'the per-thread' : 'the legacy';
  return `CUDA ${version}, CUDA_DEVICE_MAX_CONNECTIONS ${maxConnections}, stream 0 is ${stream} default stream, ${queueDepth} commands of a stream can be pending, implicit synchronisation as \`${implicitSynchronization}\` (rule 6.6). All machines of the catalogue have this host.`;
}

function differences({ timing }: DeviceProfile): string {
  const names = (Object.keys(DEVICE_TIMING) as (keyof typeof DEVICE_TIMING)[]).filter(
    (name) => timing[name].status !== 'assumed' || timing[name].value !== H200.timing[name].value,
  );
  const changed = Object.fromEntries(names.map((name) => [name, timing[name]]));
  return `Nothing of it is measured. All but these are the H200's, assumed to hold between half and twice the value.\n\n${constantsTable(changed, DEVICE_TIMING)}`;
}

function constantsTable(constants: Readonly<Record<string, Constant>>, meanings: Meanings): string {
  const rows = Object.entries(constants).map(([name, constant]) => {
    const { low, high, status, source } = constant;
    const range = low === undefined && high === undefined ? '' : `${shown(low, constant)} to ${shown(high, constant)}`;
    const value = `${shown(constant.value, constant)}${constant.unit === '1' ? '' : ` ${UNITS[constant.unit]}`}`;
    return [`\`${name}\``, meanings[name]?.meaning ?? '', value, range, status, source];
  });
  return table(['constant', 'meaning', 'value', 'range', 'status', 'source'], rows);
}

const UNITS: Readonly<Record<Constant['unit'], string>> = { ns: 'ns', us: 'us', 'B/s': 'GB/s', '1': '' };

function shown(value: number | undefined, { unit }: Constant): string {
  if (value === undefined) return '?';
  return String(Number((unit === 'B/s' ? value / 1e9 : value).toPrecision(12)));
}

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
