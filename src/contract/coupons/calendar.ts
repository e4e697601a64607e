import { z } from 'zod';

/** The most coupons that a calendar has: those that expire first. */
export const CALENDAR_COUPONS_MAX = 500;

/** The private address at which calendars read the last days of the caller's coupons. */
export const calendarAddressSchema = z.object({
  url: z.string().nullable().describe('Whoever has it can read them; null: there is none'),
});
calendarAddressSchema.register(z.globalRegistry, { id: 'CalendarAddress' });
export type CalendarAddress = z.output<typeof calendarAddressSchema>;

/** The token of an address; a wrong one, of any length, is not found. */
export const calendarFeedInputSchema = z.object({ token: z.string() });
