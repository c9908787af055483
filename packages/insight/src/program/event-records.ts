import type { CallOf } from '@griddep/program';
import { atEnd, inHardware } from './node-list.ts';
import type { Need, Site } from './nodes.ts';
import type { OpenRecord } from './recorded.ts';
import type { ThreadView } from './threads.ts';
import type { RecordView } from './views.ts';

/** What events stand for, and where that depends on which of two host threads comes first. */
export class EventRecords {
  readonly open: OpenRecord[] = [];
  /** Newest record of each event, whoever made it, and newest wait. */
  private readonly newest = new Map<string, RecordView>();
  private readonly waits = new Map<string, Site>();

  /** The record that a wait means, as far as it is certain; notes where threads would have to be ordered for it. */
  awaited(thread: ThreadView, site: Site, event: string): RecordView | undefined {
    const known = thread.record(event);
    const newest = this.newest.get(event);
    this.waits.set(event, site);
    if (newest === undefined || newest === known) return known;
    if (known !== undefined && newest.stream === known.stream) return known;
    const { thread: recorder, call } = newest;
    this.open.push({ event, record: { thread: recorder, call }, use: site });
    return undefined;
  }

  record(
    thread: ThreadView,
    site: Site,
    event: string,
    stream: number,
    what: Pick<RecordView, 'needs' | 'pending'>,
  ): void {
    const before = this.newest.get(event);
    const use = this.waits.get(event);
    const isUnheard = use !== undefined && (thread.heard[use.thread] ?? 0) <= use.call && use.thread !== thread.index;
    if (isUnheard && before?.stream !== stream) this.open.push({ event, record: site, use });
    const record = { thread: thread.index, call: site.call, stream, heard: [...thread.heard], ...what };
    thread.setRecord(event, record);
    this.newest.set(event, record);
  }

  /**
   * Events that a launch records: they say that its blocks have triggered or begun (rules 3.1, 3.4). An H200 was seen to
   * let the first fire at the end (section 11).
   */
  ofLaunch(thread: ThreadView, site: Site, call: CallOf<'launchKernel'>, stream: number, id: number): void {
    const { programmaticEvent, launchCompletionEvent } = call.attributes;
    if (programmaticEvent !== undefined) {
      const needs: Need[] = [{ node: id, at: 'trigger' }, ...inHardware([atEnd(id)])];
      this.record(thread, site, programmaticEvent.event, stream, { needs, pending: [atEnd(id)] });
    }
    if (launchCompletionEvent !== undefined) {
      const needs: Need[] = [{ node: id, at: 'start' }];
      this.record(thread, site, launchCompletionEvent.event, stream, { needs, pending: [] });
    }
  }
}
