import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { chain } from '../../chain.fixture.ts';
import { makeOperation, makeTimeline } from '../../make.ts';
import { busyTimeline } from '../busy.fixture.ts';
import { renderSvg } from './svg.ts';

/** Parses strictly and gives the texts of all elements of a name. */
function texts(svg: string, name: string): string[] {
  const parser = new SaxesParser({ xmlns: true });
  const found: string[] = [];
  let inside = false;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    inside = tag.name === name;
    if (inside) found.push('');
  });
  parser.on('text', (text) => {
    if (inside) found[found.length - 1] += text;
  });
  parser.on('closetag', () => {
    inside = false;
  });
  parser.write(svg).close();
  return found;
}

describe('renderSvg', () => {
  it('labels title, devices, streams, kernels and ticks', () => {
    const labels = texts(renderSvg([{ title: 'Chain', timeline: chain(6, true) }]), 'text');
    for (const label of [
      'Chain',
      'host',
      'main',
      'GPU 0',
      's0',
      'mlpDown',
      '0',
      '30',
      'us',
      'busy SMs',
      'last trigger',
    ]) {
      expect(labels).toContain(label);
    }
    expect(labels).toContain('chain with PDL  ·  h200  ·  6 operations  ·  makespan 25.900 us');
  });

  it('says in a tooltip what an operation was and started after', () => {
    const titles = texts(renderSvg([{ title: '', timeline: chain(2, true) }]), 'title');
    expect(titles).toContain(
      [
        'qkvGemm (kernel qkvGemm#1)',
        'stream s0',
        '7.040 to 14.380 us, 7.340 us long',
        'started after trigger of rmsNorm#0',
        'last wait returned at 10.380 us',
        'last trigger at 7.440 us',
      ].join('\n'),
    );
  });

  it('is valid XML whatever the names', () => {
    expect(texts(renderSvg([{ title: '<&>', timeline: busyTimeline() }]), 'text')).toContain('<&>');
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, text, (title, name, stream) => {
        const operations = [makeOperation({ id: name, name, stream, start: 0, end: 1e6 })];
        texts(renderSvg([{ title, timeline: makeTimeline(operations) }], { idPrefix: 'p' }), 'text');
      }),
    );
  });

  it('stacks timelines over a common axis', () => {
    const panels = [
      { title: 'A', timeline: chain(6, false) },
      { title: 'B', timeline: chain(6, true) },
    ];
    const labels = texts(renderSvg(panels), 'text');
    expect(labels.filter((label) => label === '30')).toHaveLength(2);
  });

  it('stays small for very many operations, and takes none at all', () => {
    const operations = Array.from({ length: 20_000 }, (_, i) =>
      makeOperation({ id: `${i}`, name: `k${i % 3}`, stream: `s${i % 2}`, start: i * 1e6, end: i * 1e6 + 1e6 }),
    );
    const svg = renderSvg([{ title: 'many', timeline: makeTimeline(operations) }]);
    expect(svg.length).toBeLessThan(300_000);
    expect(texts(svg, 'title').some((title) => /operations, each narrower/.test(title))).toBe(true);
    texts(renderSvg([{ title: 'none', timeline: makeTimeline([]) }]), 'text');
  });

  it('can be of a window, some streams, and say what it is of', () => {
    const panel = { title: 'Chain', subtitle: 'chain.yaml, layers=4', timeline: chain(6, true) };
    const labels = texts(renderSvg([panel], { range: { from: 0, to: 11e6 }, streams: ['s0'] }), 'text');
    expect(labels).toContain('chain.yaml, layers=4');
    expect(labels).toContain('rmsNorm');
    expect(labels).not.toContain('mlpDown');
    expect(labels).not.toContain('host');
    expect(labels).not.toContain('30');
  });

  it('draws arrows only where asked or few', () => {
    const panel = [{ title: '', timeline: chain(3, true) }];
    const arrows = (svg: string) => svg.match(/<path [^>]*marker-end/g)?.length ?? 0;
    // One of them stands in the legend.
    expect(arrows(renderSvg(panel))).toBe(4);
    expect(arrows(renderSvg(panel, { arrows: false }))).toBe(0);
  });
});
