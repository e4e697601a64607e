import { z } from 'zod';
import { couponSchema } from '#contract/coupons.ts';
import { idInputSchema, okSchema } from '#contract/primitives.ts';
import {
  createWantInputSchema,
  pauseWantInputSchema,
  updateWantInputSchema,
  wantSchema,
} from '#contract/wants.ts';
import { activeMemberProcedure, memberProcedure, ok, router } from '#server/trpc/procedures.ts';
import { createWant, foundBy, listWants, markLooked, pauseWant, removeWant, updateWant } from './service.ts';

/** What people look for. Each call is about the caller's own wants. */
export const wantsRouter = router({
  list: memberProcedure
    .meta({ summary: 'What the caller looks for' })
    .output(z.array(wantSchema))
    .query(({ ctx }) => listWants(ctx)),

  create: activeMemberProcedure
    .meta({ summary: 'Keeps a search; the caller is told when there is a coupon' })
    .input(createWantInputSchema)
    .output(wantSchema)
    .mutation(({ ctx, input }) => createWant(ctx, input)),

  update: activeMemberProcedure
    .meta({ summary: 'Replaces what one of the caller’s wants asks for' })
    .input(updateWantInputSchema)
    .output(wantSchema)
    .mutation(({ ctx, input }) => updateWant(ctx, input)),

  pause: memberProcedure
    .meta({ summary: 'Pauses one of the caller’s wants, or goes on with it' })
    .input(pauseWantInputSchema)
    .output(wantSchema)
    .mutation(({ ctx, input }) => pauseWant(ctx, input)),

  remove: memberProcedure
    .meta({ summary: 'Deletes one of the caller’s wants' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(removeWant(ctx, input.id))),

  found: memberProcedure
    .meta({ summary: 'The coupons that were found for one of the caller’s wants' })
    .input(idInputSchema)
    .output(z.array(couponSchema))
    .query(({ ctx, input }) => foundBy(ctx, input.id)),

  look: memberProcedure
    .meta({ summary: 'Notes that the caller has seen what was found' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(markLooked(ctx, input.id))),
});
