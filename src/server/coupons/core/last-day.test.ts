import { expect, it } from 'vitest';
import { dayAt, endOfDay, lastDayOffset } from './last-day.ts';

const endOf = (expiryDate: string, regions: string[], timeZone: string | null = null) =>
  endOfDay(expiryDate, lastDayOffset({ expiryDate, regions, timeZone })).toISOString();

it('the last day ends in the last time zone of the regions, else where the owner was, else in UTC [spec/1 4.3]', () => {
  expect(endOf('2024-01-31', ['CA'])).toBe('2024-02-01T07:59:59.999Z');
  expect(endOf('2024-01-31', ['CA', 'FR', 'JP'], 'Asia/Tokyo')).toBe('2024-02-01T07:59:59.999Z');
  expect(endOf('2024-01-31', ['US'])).toBe('2024-02-01T09:59:59.999Z');
  expect(endOf('2024-01-31', ['FR'], 'America/Vancouver')).toBe('2024-01-31T22:59:59.999Z');
  expect(endOf('2024-01-31', [], 'America/Vancouver')).toBe('2024-02-01T07:59:59.999Z');
  expect(endOf('2024-01-31', [], 'Asia/Kolkata')).toBe('2024-01-31T18:29:59.999Z');
  expect(endOf('2024-01-31', [])).toBe('2024-01-31T23:59:59.999Z');
});

it('the day of a change of the clocks ends when it ends there', () => {
  expect(endOf('2024-03-10', [], 'America/New_York')).toBe('2024-03-11T03:59:59.999Z');
  expect(endOf('2024-03-09', [], 'America/New_York')).toBe('2024-03-10T04:59:59.999Z');
  expect(endOf('2024-11-03', [], 'America/New_York')).toBe('2024-11-04T04:59:59.999Z');
  expect(endOf('2024-09-07', [], 'America/Santiago')).toBe('2024-09-08T03:59:59.999Z');
});

it('the day somewhere is the day until its end', () => {
  const offset = lastDayOffset({ expiryDate: '2024-01-31', regions: [], timeZone: 'America/Vancouver' });
  expect(dayAt(new Date('2024-02-01T06:31:00Z'), offset)).toBe('2024-01-31');
  expect(dayAt(new Date('2024-02-01T08:00:00Z'), offset)).toBe('2024-02-01');
});
