/** Where these files lie: frames of the stack in them are the API's own. */
const OWN = folderOf((import.meta as unknown as { readonly url: string }).url);
/** Frames that are looked at: the API's own are few. */
const DEPTH = 12;
const Engine = Error as unknown as { stackTraceLimit: number };

/** The stack as it is now, to be read when the place is wanted: reading one takes far longer than taking one. */
export function stackHere(): Error {
  const limit = Engine.stackTraceLimit;
  Engine.stackTraceLimit = DEPTH;
  const here = new Error();
  Engine.stackTraceLimit = limit;
  return here;
}

/**
 * Place of the code that called the API, `file:line:column`, or '' where the engine's stack cannot be read.
 *
 * @param others folders whose files are the API's too
 * @param here the stack of the call
 */
export function callingPlace(
  shown: (file: string) => string,
  others: readonly string[] = [],
  { stack = '' }: Error = stackHere(),
): string {
  for (const line of stack.split('\n')) {
    const [, location, at, column] = /(?:\(|at (?:async )?|@)([^()]+?):(\d+):(\d+)\)?$/.exec(line) ?? [];
    if (location === undefined) continue;
    const file = pathOf(location);
    const isOwn = [OWN, ...others].some((folder) => file.startsWith(folder)) && !/\.(test|fixture)\./.test(file);
    if (!isOwn) return `${shown(file)}:${at}:${column}`;
  }
  return '';
}

/** The folder that a module lies in, by its URL. */
export function folderOf(url: string): string {
  return pathOf(url.slice(0, url.lastIndexOf('/') + 1));
}

function pathOf(location: string): string {
  return location.startsWith('file://') ? decodeURI(location.slice('file://'.length)) : location;
}
