import { z } from 'zod';
import { idInputSchema, okSchema } from '#contract/base/primitives.ts';
import {
  addDraftsInputSchema,
  addedDraftsSchema,
  draftCountSchema,
  draftSchema,
  mailAddressSchema,
  receiveMailInputSchema,
} from '#contract/coupons/drafts.ts';
import {
  activeMemberProcedure,
  memberProcedure,
  ok,
  publicProcedure,
  router,
} from '#server/trpc/procedures.ts';
import { receiveMail } from './receiving.ts';
import { countDrafts, discardDraft, ownMailAddress, removeMailAddress, renewMailAddress } from './service.ts';
import { addDrafts } from './texts.ts';
import { openDrafts } from './viewing.ts';

/** Coupons that were read in forwarded mails, until their owner lists them. */
export const draftsRouter = router({
  address: memberProcedure
    .meta({ summary: 'The private mail address to which the caller forwards vouchers' })
    .output(mailAddressSchema)
    .query(({ ctx }) => ownMailAddress(ctx)),

  renewAddress: memberProcedure
    .meta({ summary: 'Makes a new private mail address; the old one stops working' })
    .output(mailAddressSchema)
    .mutation(({ ctx }) => renewMailAddress(ctx)),

  removeAddress: memberProcedure
    .meta({ summary: 'Ends the caller’s private mail address' })
    .output(okSchema)
    .mutation(({ ctx }) => ok(removeMailAddress(ctx))),

  list: memberProcedure
    .meta({ summary: 'The drafts that were read in the caller’s mails, with their codes', recordsView: true })
    .output(z.array(draftSchema))
    .query(({ ctx }) => openDrafts(ctx)),

  count: memberProcedure
    .meta({ summary: 'How many drafts wait for the caller' })
    .output(draftCountSchema)
    .query(({ ctx }) => countDrafts(ctx)),

  add: activeMemberProcedure
    .input(addDraftsInputSchema)
    .output(addedDraftsSchema)
    .mutation(({ ctx, input }) => addDrafts(ctx, input)),

  discard: memberProcedure
    .meta({ summary: 'Deletes a draft' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(discardDraft(ctx, input.id))),

  /** Providers have no session: the delivery carries its proof. */
  receiveMail: publicProcedure
    .input(receiveMailInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(receiveMail(ctx, input))),
});
