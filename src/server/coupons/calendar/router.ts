import { z } from 'zod';
import { okSchema } from '#contract/base/primitives.ts';
import { calendarAddressSchema, calendarFeedInputSchema } from '#contract/coupons/calendar.ts';
import { memberProcedure, ok, publicProcedure, router } from '#server/trpc/procedures.ts';
import { calendarFeed, ownAddress, removeAddress, renewAddress } from './service.ts';

/** The last days of a person's coupons, for calendars. */
export const calendarRouter = router({
  address: memberProcedure
    .meta({ summary: 'The private address of the caller’s calendar' })
    .output(calendarAddressSchema)
    .query(({ ctx }) => ownAddress(ctx)),

  renewAddress: memberProcedure
    .meta({ summary: 'Makes a new private address; the old one stops working' })
    .output(calendarAddressSchema)
    .mutation(({ ctx }) => renewAddress(ctx)),

  removeAddress: memberProcedure
    .meta({ summary: 'Switches the caller’s calendar off: its address stops working' })
    .output(okSchema)
    .mutation(({ ctx }) => ok(removeAddress(ctx))),

  /** Calendars have no session: the token is the proof. */
  feed: publicProcedure
    .input(calendarFeedInputSchema)
    .output(z.string())
    .query(({ ctx, input }) => calendarFeed(ctx, input)),
});
