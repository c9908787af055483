import { SaxesParser } from 'saxes';
import { expect, it } from 'vitest';
import { chain } from '../../chain.fixture.ts';
import { renderTextbookSvg } from './textbook.ts';

/** The texts of a picture; throws where it is not well-formed. */
function textsOf(svg: string): string[] {
  const texts: string[] = [];
  const parser = new SaxesParser();
  parser.on('text', (text) => {
    if (text.trim() !== '') texts.push(text);
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(svg).close();
  return texts;
}

it('1.3, 1.8 two grids show where the first triggered and where the wait of the second returned', () => {
  const timeline = chain(3, true);
  const texts = textsOf(renderTextbookSvg(timeline, [0, 1]));
  const [first, second] = timeline.operations;
  const us = (time = 0) => (time / 1e6).toFixed(3);
  expect(texts).toContain(`griddepcontrol.launch_dependents ${us(first?.lastTrigger)} us`);
  expect(texts).toContain(`griddepcontrol.wait returns ${us(second?.lastRelease)} us`);
  expect(texts).toContain(`both run for ${us((first?.end ?? 0) - (second?.start ?? 0))} us`);
});

it('two grids one after the other have the gap between them, and no marks', () => {
  const timeline = chain(2, false);
  const texts = textsOf(renderTextbookSvg(timeline, [0, 1]));
  expect(texts).toContain('0.900 us from the end of the first to the start of the second');
  expect(texts.filter((text) => text.includes('griddepcontrol'))).toEqual([]);
});

it('names are text, and a pair that is not there is refused', () => {
  const timeline = chain(2, true);
  const operations = timeline.operations.map((operation) => ({
    ...operation,
    name: '<script>&"',
    id: '<b>',
    stream: '<i>',
  }));
  expect(textsOf(renderTextbookSvg({ ...timeline, operations }, [0, 1]))).toContain('<b> and <b>');
  expect(() => renderTextbookSvg(timeline, [0, 9])).toThrow(RangeError);
});
