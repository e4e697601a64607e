import { describe, expect, it } from 'vitest';
import { fitting } from './fitting.ts';

const widths = { links: [80, 60, 100], more: 50, gap: 4 };

describe('how many links fit', () => {
  it.each([
    // 80 + 4 + 60 + 4 + 100
    [248, 3],
    [247.5, 2],
    // 80 + 4 + 60 + 4 + 50
    [198, 2],
    [197, 1],
    [134, 1],
    [133, 0],
    [0, 0],
  ])('in %d px: %d', (room, count) => {
    expect(fitting(room, widths)).toBe(count);
  });

  it('none of none', () => {
    expect(fitting(100, { ...widths, links: [] })).toBe(0);
  });
});
