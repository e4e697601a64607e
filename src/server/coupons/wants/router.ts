import { z } from 'zod';
import { idInputSchema, okSchema } from '#contract/base/primitives.ts';
import { couponSchema } from '#contract/coupons/coupons.ts';
import {
  createWantInputSchema,
  pauseWantInputSchema,
  updateWantInputSchema,
  wantSchema,
} from '#contract/coupons/wants.ts';
import { activeMemberProcedure, memberProcedure, ok, router } from '#server/trpc/procedures.ts';
import { createWant, foundBy, listWants, markLooked, pauseWant, removeWant, updateWant } from './service.ts';

/** What people look for. Each call is about the caller's own wants. */
export const wantsRouter = router({
  list: memberProcedure
    .meta({ summary: 'The caller’s wish list' })
    .output(z.array(wantSchema))
    .query(({ ctx }) => listWants(ctx)),

  create: activeMemberProcedure
    .meta({ summary: 'Adds a wish; the caller gets an alert for matching coupons' })
    .input(createWantInputSchema)
    .output(wantSchema)
    .mutation(({ ctx, input }) => createWant(ctx, input)),

  update: activeMemberProcedure
    .meta({ summary: 'Changes one of the caller’s wishes' })
    .input(updateWantInputSchema)
    .output(wantSchema)
    .mutation(({ ctx, input }) => updateWant(ctx, input)),

  pause: memberProcedure
    .meta({ summary: 'Pauses or resumes one of the caller’s wishes' })
    .input(pauseWantInputSchema)
    .output(wantSchema)
    .mutation(({ ctx, input }) => pauseWant(ctx, input)),

  remove: memberProcedure
    .meta({ summary: 'Deletes one of the caller’s wishes' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(removeWant(ctx, input.id))),

  found: memberProcedure
    .meta({ summary: 'The coupons that match one of the caller’s wishes' })
    .input(idInputSchema)
    .output(z.array(couponSchema))
    .query(({ ctx, input }) => foundBy(ctx, input.id)),

  look: memberProcedure
    .meta({ summary: 'Notes that the caller has seen the coupons for a wish' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(markLooked(ctx, input.id))),
});
