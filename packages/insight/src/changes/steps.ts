/** Names of groups that are a step: PyTorch's own, numbered ranges of users, and what an importer found. */
const STEP = /^(?:ProfilerStep#|(?:iter|iteration|step|batch|repetition)[ _#:]*)(\d+)$/i;

/** Whether a group is one step of a program, such as a training step or a decoded token. */
export function isStepRange(name: string): boolean {
  return STEP.test(name);
}
