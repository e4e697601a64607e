import { describe, expect, it } from 'vitest';
import { readFeedText } from '#tests/support/feeds.ts';
import type { FeedReading } from './settings.ts';

const daysOf = async (ends: readonly string[], reading: Partial<FeedReading> = {}) => {
  const rows = ends.map((end, index) => `Acme,CODE${index},Ten off,${end}`);
  const read = await readFeedText(['advertiser,code,title,ends', ...rows].join('\n'), {
    format: 'csv',
    ...reading,
  });
  return read.map((row) => ('offer' in row ? row.offer.expiryDate : row.problem));
};

describe('all rows of a feed decide together', () => {
  it.each([
    [
      'with the day first',
      ['03/04/2030', '2030-05-01', '31/12/2030'],
      ['2030-04-03', '2030-05-01', '2030-12-31'],
    ],
    [
      'with the month first',
      ['03/04/2030', '2030-05-01', '12/31/2030'],
      ['2030-03-04', '2030-05-01', '2030-12-31'],
    ],
    ['before the first open one', ['12/31/2030', '03/04/2030'], ['2030-12-31', '2030-03-04']],
    ['by another separator', ['03/04/2030', '31.12.2030'], ['2030-04-03', '2030-12-31']],
    ['with dots, which nobody writes with the month first', ['03.04.2030', ''], ['2030-04-03', null]],
    [
      'where every date has one reading',
      ['31/12/30', '12/31/2030', '05/05/2030'],
      ['2030-12-31', '2030-12-31', '2030-05-05'],
    ],
  ])('%s', async (_, ends, days) => {
    expect(await daysOf(ends)).toEqual(days);
  });

  it('by the start as well', async () => {
    const csv = 'merchant,code,title,start,end\nAcme,A,Ten off,13/01/2030,03/04/2030\n';
    expect(await readFeedText(csv, { format: 'csv' })).toMatchObject([
      { offer: { expiryDate: '2030-04-03' } },
    ]);
  });

  it('with the last of a thousand rows, in order', async () => {
    const ends = [...Array.from({ length: 1_200 }, () => '03/04/2030'), '12/31/2030'];
    const days = await daysOf(ends);
    expect(days).toHaveLength(1_201);
    expect(new Set(days)).toEqual(new Set(['2030-03-04', '2030-12-31']));
    expect(days.at(-1)).toBe('2030-12-31');
  });
});

describe('a feed is refused with both readings', () => {
  it('if no date decides', async () => {
    await expect(daysOf(['', '03/04/2030', '05/05/2030'])).rejects.toThrow(
      'A date has two readings: 03/04/2030 (line 3) is 2030-04-03 with the day first and 2030-03-04 with the month first, and no other date decides. Set isDayFirst, or give --dates day-first or month-first.',
    );
  });

  it('if they disagree', async () => {
    await expect(daysOf(['31/12/2030', '12/31/2030', '03-04-2030'])).rejects.toThrow(
      '03-04-2030 (line 4) is 2030-04-03 with the day first and 2030-03-04 with the month first, and its other dates disagree: 31/12/2030 (line 2) has the day first, 12/31/2030 (line 3) the month.',
    );
  });

  it('unless its settings or its network say it; a date of the other order costs its row', async () => {
    const ends = ['03/04/2030', '31/12/2030', '12/31/2030'];
    const bad = 'Its last day is not a date';
    expect(await daysOf(ends, { isDayFirst: true })).toEqual(['2030-04-03', '2030-12-31', bad]);
    expect(await daysOf(ends, { isDayFirst: false })).toEqual(['2030-03-04', bad, '2030-12-31']);
    expect(await daysOf(ends, { network: 'awin' })).toEqual(['2030-04-03', '2030-12-31', bad]);
  });
});
