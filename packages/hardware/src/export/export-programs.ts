import type { Program } from '@griddep/program';
import { DEVICE_SOURCE } from './cuda/device-source.ts';
import { HOST_SOURCE } from './cuda/host-source.ts';
import { MEASURE_SOURCE } from './cuda/measure-source.ts';
import { ExportError } from './export-error.ts';
import { type MeasurableOptions, measurable } from './measurable.ts';
import { programText } from './print-program.ts';

const BUILD = 'nvcc -O3 -std=c++17 -arch=sm_90';

/** A program to be exported, and how it is measured. */
export interface ExportInput extends MeasurableOptions {
  readonly program: Program;
}

/**
 * Programs as one file of CUDA C++ that runs them on real devices and writes a file of measured cases. It needs CUDA 12.4 or
 * newer, and nothing but the runtime. Kernels are one synthetic kernel that does the phases of each.
 *
 * @throws ExportError for what cannot be written out
 */
export function exportPrograms(inputs: readonly ExportInput[]): string {
  const programs = inputs.map(({ program }) => program);
  if (programs.length === 0) throw new ExportError('no program');
  const names = new Set<string>();
  for (const { name } of programs) {
    if (names.has(name))
      throw new ExportError(`two programs are called "${name}": cases of a file have names of their own`);
    names.add(name);
  }
  const settings = programs.flatMap(settingsOf);
  if (settings.length > 0 && programs.length > 1) {
    throw new ExportError('a program that sets variables of the environment needs a file of its own');
  }
  const texts = inputs.map(({ program, ...options }, i) => {
    try {
      return programText(measurable(program, options), `program_${i}`);
    } catch (error) {
      throw error instanceof ExportError ? new ExportError(`${program.name}: ${error.message}`) : error;
    }
  });
  return `// Programs for real devices, written by griddep export.
// Build: ${BUILD} -o measure THIS_FILE
// Run:   ./measure -o cases.json        (./measure -h tells more)
// Then:  griddep validate cases.json
${DEVICE_SOURCE.trim()}
${HOST_SOURCE.trim()}
${MEASURE_SOURCE.trim()}

${texts.join('\n')}
int main(int argc, char** argv) {
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
${settings.map(({ name, value }) => `  setenv(${JSON.stringify(name)}, ${JSON.stringify(value)}, 1);\n`).join('')}  std::vector<Program> programs;
${texts.map((_, i) => `  programs.push_back(program_${i}::make());`).join('\n')}
  return runPrograms(programs, argc, argv);
}
`;
}

/** Variables that CUDA reads when it starts: they are set before. */
function settingsOf({ threads }: Program): { name: string; value: string }[] {
  return threads.flatMap(({ calls }) =>
    Array.from({ length: calls.distinct }, (_, i) => calls.distinctCall(i)).flatMap((call) =>
      call.kind === 'hostSetenv' ? [{ name: call.name, value: call.value }] : [],
    ),
  );
}
