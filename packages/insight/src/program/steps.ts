import type { Access } from './access.ts';

/** What a host thread, a copy or a role of a kernel does, as far as it orders or touches memory. */
export type Step =
  | { readonly do: 'access'; readonly access: Access }
  | { readonly do: 'fence'; readonly scope: 'device' | 'system' }
  | { readonly do: 'trigger'; readonly someBlocks: boolean }
  | { readonly do: 'wait' }
  | { readonly do: 'barrier' }
  /** All blocks of the grid meet. */
  | { readonly do: 'gridBarrier' }
  | { readonly do: 'signal'; readonly flag: string; readonly value: number }
  | { readonly do: 'await'; readonly flag: string; readonly value: number }
  /** The members of a collective meet. */
  | { readonly do: 'meet'; readonly meeting: Meeting };

/** A collective: its place among those of its group, and the devices that must come. */
export interface Meeting {
  readonly group: string;
  readonly sequence: number;
  readonly ranks: readonly number[];
  /** Such as `allReduce`. */
  readonly collective: string;
  readonly bytes: number;
}

/** A kernel's code, or the little that other work does. */
export interface Code {
  readonly roles: readonly Role[];
  /** Roles of one warp meet no others of their block before they trigger. */
  readonly isOneWarp: boolean;
  /** All first triggers stand after a wait. */
  readonly triggersAfterWait: boolean;
  readonly triggers: number;
  readonly waits: boolean;
  /** Whether some of it has to be published before its end, to a fence or a trigger. */
  readonly publishesEarly: boolean;
  /** What is not known of it: whether it waits (a kernel given by its duration or PTX alone). */
  readonly isOpaque: boolean;
}

export interface Role {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Code of one role and no blocks. */
export function plainCode(steps: readonly Step[]): Code {
  return {
    roles: steps.length === 0 ? NO_ROLES : [{ name: '', steps }],
    ...{ isOneWarp: false, triggersAfterWait: false, triggers: 0, waits: false },
    publishesEarly: steps.some((step) => step.do === 'signal'),
    isOpaque: false,
  };
}

const NO_ROLES: readonly Role[] = [];
export const NO_CODE: Code = plainCode([]);
