/** Where these files lie: frames of the stack in them are the API's own. */
const URL_OF_THIS = (import.meta as unknown as { readonly url: string }).url;
const OWN = pathOf(URL_OF_THIS.slice(0, URL_OF_THIS.lastIndexOf('/') + 1));
/** Frames that are looked at: the API's own are few. */
const DEPTH = 12;
const Engine = Error as unknown as { stackTraceLimit: number };

/** Place of the code that called the API, `file:line:column`, or '' where the engine's stack cannot be read. */
export function callingPlace(shown: (file: string) => string): string {
  const limit = Engine.stackTraceLimit;
  Engine.stackTraceLimit = DEPTH;
  const { stack = '' } = new Error();
  Engine.stackTraceLimit = limit;
  for (const line of stack.split('\n')) {
    const [, location, at, column] = /(?:\(|at (?:async )?|@)([^()]+?):(\d+):(\d+)\)?$/.exec(line) ?? [];
    if (location === undefined) continue;
    const file = pathOf(location);
    const isOwn = file.startsWith(OWN) && !file.includes('.test.');
    if (!isOwn) return `${shown(file)}:${at}:${column}`;
  }
  return '';
}

function pathOf(location: string): string {
  return location.startsWith('file://') ? decodeURI(location.slice('file://'.length)) : location;
}
