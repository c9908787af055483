import { type Path, ProgramError } from '@griddep/program';

/** Runs what reads a part of the sweep's document; its errors get the part's path, unless they are of another file. */
export function inside<T>(path: Path, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof ProgramError) || error.file !== '') throw error;
    throw error.within(path);
  }
}
