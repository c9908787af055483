import '@griddep/vitest-matchers/register';
import { describe, expect, it } from 'vitest';
import { pipeline } from './pipeline.ts';

describe('pipeline', () => {
  const double = pipeline({ chunks: 4, buffers: 2 });
  const single = pipeline({ chunks: 4, buffers: 1 });

  it('is ordered whatever the hardware does', () => {
    expect(double).toBeFreeOfHazards();
    expect(single).toBeFreeOfHazards();
  });

  it('uploads the next chunk while one is worked on, given two buffers', () => {
    expect(double).toOverlap('upload 1', 'scale 0');
    expect(single).not.toOverlap('upload 1', 'scale 0');
  });

  it('reuses a buffer only once it has been summed', () => {
    expect(double).toRunBefore('sum 0', 'upload 2');
    expect(single).toRunBefore('sum 0', 'upload 1');
  });

  it('keeps its time', () => {
    expect(double).toFinishWithin('500us');
  });
});
