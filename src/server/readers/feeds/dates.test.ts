import { describe, expect, it } from 'vitest';
import { type DateOrder, mayBeginWithYear, ordersOf, readDate, readMonthEnd } from './dates.ts';

const day = (text: string, order: DateOrder | null = 'dayFirst') => readDate(text, order).day;

describe('days', () => {
  it.each([
    ['2030-06-05', '2030-06-05'],
    ['2030/06/05', '2030-06-05'],
    ['2030.6.5', '2030-06-05'],
    ['2030年6月5日', '2030-06-05'],
    ['20300605', '2030-06-05'],
    ['2030-06-05T23:59:59', '2030-06-05'],
    ['20300605T235959Z', '2030-06-05'],
    ['20300605T235959-0500', '2030-06-06'],
    ['2030-06-05T24:00:00', '2030-06-05'],
    ['2030-06-05 23:59:59.0', '2030-06-05'],
    ['2030-06-05T23:30:00Z', '2030-06-05'],
    ['2030-06-05T23:30:00-05:00', '2030-06-06'],
    ['2030-06-05 01:00 +0200', '2030-06-04'],
    ['2030-06-05 23:30 GMT', '2030-06-05'],
    ['05/06/2030 23:59:59', '2030-06-05'],
    ['05-06-2030', '2030-06-05'],
    ['05/06/30', '2030-06-05'],
    ['5.6.2030', '2030-06-05'],
    ['5. 6. 2030', '2030-06-05'],
    ['Wed, 05 Jun 2030 10:00:00 GMT', '2030-06-05'],
    ['Wed, 05 Jun 2030 23:00:00 -0500', '2030-06-06'],
    ['Wed Jun 05 2030 23:59:59 GMT+0000 (Coordinated Universal Time)', '2030-06-05'],
    ['Wed Jun  5 23:59:59 UTC 2030', '2030-06-05'],
    ['05 Jun 2030', '2030-06-05'],
    ['5-Jun-30', '2030-06-05'],
    ['5-JUN-2030', '2030-06-05'],
    ['2030 Jun 5', '2030-06-05'],
    ['June 5, 2030', '2030-06-05'],
    ['Jun. 5th 2030', '2030-06-05'],
    ['Wednesday, June 5, 2030', '2030-06-05'],
    ['the 5th of June 2030', '2030-06-05'],
    ['June 5, 2030 at 11:59 PM', '2030-06-05'],
    ['5. Juni 2030', '2030-06-05'],
    ['Mittwoch, 5. Juni 2030 um 23:59 Uhr', '2030-06-05'],
    ['5. März 2030', '2030-03-05'],
    ['5 juin 2030', '2030-06-05'],
    ['1er août 2030', '2030-08-01'],
    ['mar. 31 déc. 2030', '2030-12-31'],
    ['5 de junio de 2030', '2030-06-05'],
    ['5 giugno 2030', '2030-06-05'],
    ['5 juni 2030', '2030-06-05'],
    ['5 czerwca 2030', '2030-06-05'],
    ['5 października 2030', '2030-10-05'],
    ['5 de junho de 2030', '2030-06-05'],
    ['1906848000', '2030-06-05'],
    ['1906848000000', '2030-06-05'],
    ['47639', '2030-06-05'],
    ['47639.99999', '2030-06-05'],
    ['', null],
    ['0000-00-00 00:00:00', null],
    ['9999-12-31', null],
    ['2999-12-31', null],
    ['3000-01-01', null],
    ['2199-12-31', null],
    // The year 2026 in Thailand, and a slip.
    ['31/12/2569', 'unreadable'],
    ['2569-12-31', 'unreadable'],
    ['2126-12-31', 'unreadable'],
    ['31 Aralık 2030', '2030-12-31'],
    ['31 ARALIK 2030', '2030-12-31'],
    ['5 Ekim 2030', '2030-10-05'],
    ['31 grudnia 2030', '2030-12-31'],
    ['5 grudzień 2030', '2030-12-05'],
    ['31 декабря 2030 г.', '2030-12-31'],
    ['5 мая 2030', '2030-05-05'],
    ['5 d’abril del 2030', '2030-04-05'],
    ['2030. december 31.', '2030-12-31'],
    ['31 Δεκεμβρίου 2030', '2030-12-31'],
    ['n/a', null],
    ['2030-02-30', 'unreadable'],
    ['31/06/2030', 'unreadable'],
    ['06/25/2030', 'unreadable'],
    ['30 February 2030', 'unreadable'],
    ['20301345', 'unreadable'],
    ['1970-01-01', 'unreadable'],
    ['12345', 'unreadable'],
    ['soon', 'unreadable'],
    ['June 2030', 'unreadable'],
    ['2030-06-05 and then some', 'unreadable'],
  ])('are read: %s as %s', (text, expected) => {
    expect(day(text)).toBe(expected);
  });

  it('have the month first when that is decided, and their only reading when nothing is', () => {
    expect(day('06/25/2030', 'monthFirst')).toBe('2030-06-25');
    expect(day('06/05/2030', 'monthFirst')).toBe('2030-06-05');
    expect(day('06/25/2030', null)).toBe('2030-06-25');
    expect(day('25/06/2030', null)).toBe('2030-06-25');
  });

  it.each([
    ['05/06/2030', ['dayFirst', 'monthFirst']],
    ['05-06-30 23:59', ['dayFirst', 'monthFirst']],
    ['25.06.2030', ['dayFirst']],
    ['06/25/2030 11:59 PM', ['monthFirst']],
    ['05/05/2030', null],
    ['31/31/2030', null],
    ['2030-05-06', null],
    ['', null],
  ])('have orders in which they can be read: %s in %j', (text, orders) => {
    expect(ordersOf(text)).toEqual(orders);
  });
});

it.each([
  ['2030-06-05', null],
  ['2030-06-05T23:59:59', '2030-06-05T23:59:59'],
  ['2030-06-05T24:00', '2030-06-05T23:59:59'],
  ['2030-06-05 9:30', '2030-06-05T09:30:00'],
  ['2030-06-05T23:30:00Z', '2030-06-05T23:30:00Z'],
  ['20300605T233000Z', '2030-06-05T23:30:00Z'],
  ['2030-06-05T23:30:00-05:00', '2030-06-05T23:30:00-05:00'],
  ['2030-06-05 01:00 +0200', '2030-06-05T01:00:00+02:00'],
  ['2030-06-05 23:30 GMT', '2030-06-05T23:30:00Z'],
  ['2030-06-05 23:30 PST', '2030-06-05T23:30:00-08:00'],
  ['2030-06-05 23:30 Local', '2030-06-05T23:30:00'],
  ['05/06/2030 11:45:00 PM', '2030-06-05T23:45:00'],
  ['05/06/2030 12:00 AM', '2030-06-05T00:00:00'],
  ['05/06/2030', null],
  ['Wed, 05 Jun 2030 10:00:00 GMT', '2030-06-05T10:00:00Z'],
  ['05 Jun 2030', null],
  ['1906848000', '2030-06-05T00:00:00Z'],
  ['47639', null],
  ['2030-06-05 25:00', null],
  ['9999-12-31 23:59:59', null],
  ['', null],
])('the time of an end is kept with its zone: %s as %s', (text, time) => {
  expect(readDate(text, 'dayFirst').time).toBe(time);
});

it.each([
  ['12/2030', '2030-12-31', true],
  ['02-2032', '2032-02-29', true],
  ['2030-12', '2030-12-31', true],
  ['2030年2月', '2030-02-28', true],
  ['2030 Dec', '2030-12-31', true],
  ['décembre 2030', '2030-12-31', true],
  ['Dec. 2030', '2030-12-31', true],
  ["Dec '30", '2030-12-31', true],
  ['fin décembre 2030', '2030-12-31', true],
  ['fin déc. 30', '2030-12-31', true],
  ['end of February 2031', '2031-02-28', true],
  ['Ende Juni 2030', '2030-06-30', true],
  ['diciembre de 2030', '2030-12-31', true],
  ['grudzień 2030', '2030-12-31', true],
  ['Aralık 2030 sonu', '2030-12-31', true],
  ['декабрь 2030 г.', '2030-12-31', true],
  // It may be a day.
  ['12/26', '2026-12-31', false],
  ['Dec-26', '2026-12-31', false],
  ['déc-26', '2026-12-31', false],
  ['déc-99', '2099-12-31', true],
])('the month with which something ends has a last day: %s', (text, expected, isOnly) => {
  expect(readMonthEnd(text)).toEqual({ day: expected, isOnly });
});

it.each([
  '13/2030',
  '2030',
  '12.26',
  '12 26',
  '26-Dec',
  'soon 2030',
  '12/2569',
  '31/12/2030',
  '',
  '00/2030',
  '203012',
])('what names no month has no last day of one: %s', (text) => {
  expect(readMonthEnd(text)).toBeNull();
});

it.each([
  ['26-12-31', true],
  ['26/12/31', true],
  ['29. 3. 27.', true],
  ['31-12-26', false],
  ['31/12/26', false],
  ['05/06/30', false],
  ['12/31/26', false],
  ['31.12.2026', false],
])('a year of two digits may stand first: %s', (text, expected) => {
  expect(mayBeginWithYear(text)).toBe(expected);
});
