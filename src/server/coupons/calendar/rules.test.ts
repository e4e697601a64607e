import { expect, it } from 'vitest';
import { type DayEvent, writeCalendar } from './rules.ts';

const SOUP: DayEvent = {
  id: 'coupon-1@clipswap.example',
  day: '2035-06-22',
  title: 'Soup expires',
  text: 'Ladle',
  changedAt: new Date('2035-06-15T12:00:00.123Z'),
};

it('writes a calendar of days', () => {
  expect(writeCalendar('ClipSwap', [SOUP]).split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//ClipSwap//Coupons//EN',
    'X-WR-CALNAME:ClipSwap',
    'BEGIN:VEVENT',
    'UID:coupon-1@clipswap.example',
    'DTSTAMP:20350615T120000Z',
    'DTSTART;VALUE=DATE:20350622',
    'SUMMARY:Soup expires',
    'DESCRIPTION:Ladle',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

it('writes a calendar without days that has the part each calendar needs', () => {
  const lines = writeCalendar('ClipSwap', []).split('\r\n');
  expect(lines.filter((line) => line.startsWith('BEGIN:'))).toEqual([
    'BEGIN:VCALENDAR',
    'BEGIN:VTIMEZONE',
    'BEGIN:STANDARD',
  ]);
});

it('escapes what has a meaning, so that no text begins a line of its own', () => {
  const title = 'Soup, hot; \\ "new"';
  const lines = writeCalendar('ClipSwap', [{ ...SOUP, title, text: 'a\nb\r\nEND:VEVENT\rc' }]).split('\r\n');
  expect(lines).toContain('SUMMARY:Soup\\, hot\\; \\\\ "new"');
  expect(lines).toContain('DESCRIPTION:a\\nb\\nEND:VEVENT\\nc');
});

it.each(['a', 'é', '券', '🥣'])(
  'folds lines of %s after at most 75 bytes, between characters',
  (character) => {
    const title = character.repeat(120);
    const text = writeCalendar('ClipSwap', [{ ...SOUP, title }]);
    const sizes = text.split('\r\n').map((line) => Buffer.byteLength(line));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(75);
    expect(Math.max(...sizes)).toBeGreaterThan(75 - Buffer.byteLength(character));
    expect(text.replaceAll('\r\n ', '')).toContain(`\r\nSUMMARY:${title}\r\n`);
  },
);
