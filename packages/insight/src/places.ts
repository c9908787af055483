import type { Call, Program } from '@griddep/program';
import type { Place } from './finding.ts';
import type { Node, Site } from './program/nodes.ts';

/** Where in a program things stand, as messages name them. */
export class Places {
  private readonly program: Program;

  constructor(program: Program) {
    this.program = program;
  }

  of({ site }: Pick<Node, 'site'>): Place {
    const launch = this.call(site);
    const { of } = site;
    if (of === undefined) return launch;
    if ('thread' in of) return { ...this.call(of), launchedBy: launch };
    return { ...launch, name: `node "${of.node}" of graph "${of.graph}"`, launchedBy: launch, node: of.node };
  }

  call({ thread, call }: Pick<Site, 'thread' | 'call'>): Place {
    const { name, calls } = this.program.threads[thread] as Program['threads'][number];
    const origin = calls.origin(call);
    return {
      ...{ thread: name, call, name: calls.label(call) ?? nameOf(calls.at(call)) },
      ...(origin === undefined ? {} : { file: origin.file, line: origin.line, column: origin.column }),
    };
  }

  /** The same text for all that one written call makes, such as in a loop. */
  key({ site }: Node): string {
    const { of } = site;
    const launch = this.callKey(site);
    if (of === undefined) return launch;
    return 'thread' in of ? `${launch} ${this.callKey(of)}` : `${launch} ${of.graph} ${of.node}`;
  }

  /** The same, but one text for all calls of a program that was not read from a file. */
  roughKey(node: Node): string {
    const { thread, call } = node.site;
    return this.program.threads[thread]?.calls.origin(call) === undefined ? '' : this.key(node);
  }

  private callKey({ thread, call }: Pick<Site, 'thread' | 'call'>): string {
    const origin = this.program.threads[thread]?.calls.origin(call);
    return origin === undefined ? `${thread}:${call}` : `${thread}@${origin.line}:${origin.column}`;
  }
}

function nameOf(call: Call): string {
  if (call.kind === 'launchKernel') return call.kernel;
  return call.kind;
}

/** A place as one text: `file:line:column`, or the call's number. */
export function placeText({ file, line, column, thread, call }: Place): string {
  if (line !== undefined) return `${file === '' || file === undefined ? '<text>' : file}:${line}:${column}`;
  return `call ${call} of host thread "${thread}"`;
}
