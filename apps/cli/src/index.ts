export { runCli } from './cli.ts';
export { EXIT } from './exit-codes.ts';
export { InputError } from './input/input-error.ts';
export { resolveMachine } from './input/machine.ts';
export { type Input, type InputSource, programOf, type ResolveOptions, resolveInput } from './input/resolve.ts';
export type { Settings } from './input/settings.ts';
