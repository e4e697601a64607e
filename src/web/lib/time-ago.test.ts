import { describe, expect, it } from 'vitest';
import { formatDate } from './format.ts';
import { dayHeading, formatTime, listTime, timeAgo } from './time-ago.ts';

/** Local noon, so that the days around it are the same wherever the tests run. */
const NOW = new Date(2026, 10, 21, 12, 0, 0);

function ago(amount: { days?: number; hours?: number; minutes?: number; seconds?: number }): string {
  const { days = 0, hours = 0, minutes = 0, seconds = 0 } = amount;
  const at = new Date(NOW);
  at.setDate(at.getDate() - days);
  at.setHours(at.getHours() - hours, at.getMinutes() - minutes, at.getSeconds() - seconds);
  return at.toISOString();
}

describe("the time-ago text (spec/3 section 9: 'Just now', minutes, hours, 'Yesterday', days under 7, a date)", () => {
  it.each([
    [{}, 'Just now'],
    [{ seconds: 59 }, 'Just now'],
    [{ minutes: 1 }, '1 minute ago'],
    [{ minutes: 59, seconds: 59 }, '59 minutes ago'],
    [{ hours: 1 }, '1 hour ago'],
    [{ hours: 23, minutes: 59 }, '23 hours ago'],
    [{ days: 1 }, 'Yesterday'],
    [{ days: 1, hours: 23 }, 'Yesterday'],
    [{ days: 2 }, '2 days ago'],
    [{ days: 6, hours: 23 }, '6 days ago'],
  ])('of %j ago is %s [spec/3 2.11]', (amount, text) => {
    expect(timeAgo(ago(amount), NOW)).toBe(text);
  });

  it("is a date from seven days on, and 'Just now' for a time in the future [spec/3 2.11]", () => {
    expect(timeAgo(ago({ days: 7 }), NOW)).toBe(formatDate(ago({ days: 7 })));
    expect(timeAgo(ago({ minutes: -3 }), NOW)).toBe('Just now');
  });
});

describe("the time in the list of messages (spec/2 section 2: the time if today, 'Yesterday', month and day)", () => {
  it.each([
    [ago({ hours: 11 }), formatTime(ago({ hours: 11 }))],
    [ago({ hours: 13 }), 'Yesterday'],
    [ago({ days: 1, hours: 11 }), 'Yesterday'],
    [ago({ days: 1, hours: 13 }), 'Nov 19'],
    [ago({ days: 30 }), 'Oct 22'],
    // By a clock that is slow.
    [ago({ hours: -13 }), formatTime(ago({ hours: -13 }))],
  ])('of %s is %s [spec/2 2.18]', (instant, text) => {
    expect(listTime(instant, NOW)).toBe(text);
  });

  it('has the format 9:41 AM', () => {
    expect(formatTime(new Date(2026, 10, 21, 9, 41).toISOString()).replace(/\s/u, ' ')).toBe('9:41 AM');
  });
});

it.each([
  [ago({ hours: 2 }), 'Today'],
  [ago({ days: 1 }), 'Yesterday'],
  [ago({ days: 2 }), 'Thursday, Nov 19'],
  // By a clock that is slow.
  [ago({ hours: -13 }), 'Today'],
  [ago({ days: 400 }), formatDate(ago({ days: 400 }))],
])('the heading of messages from %s is %s', (instant, heading) => {
  expect(dayHeading(instant, NOW)).toBe(heading);
});
