/** What the command's exit status says. */
export const EXIT = {
  ok: 0,
  /** A threshold that the user set (`--fail-above`) was exceeded, or `lint` found something. */
  exceeded: 1,
  /** Bad input or options, a program that never ends, a limit that was reached, an output that could not be written. */
  input: 2,
  /** An error of griddep's own. */
  bug: 70,
  /** Something was left undone at an interrupt; as the shell reports SIGINT. */
  interrupted: 130,
} as const;
