const USUAL = 100;

/** Columns for a picture: what was asked for, else the terminal's, else what COLUMNS says, else 100. */
export function pictureWidth(asked: number | undefined): number {
  return asked ?? (process.stdout.columns || fromEnvironment() || USUAL);
}

/** Shells keep COLUMNS to themselves, so in the environment of a pipe it is there only where somebody set it. */
function fromEnvironment(): number | undefined {
  const columns = Number(process.env.COLUMNS);
  return Number.isSafeInteger(columns) && columns > 0 ? columns : undefined;
}
