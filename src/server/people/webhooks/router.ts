import { z } from 'zod';
import { idInputSchema, okSchema } from '#contract/base/primitives.ts';
import {
  createWebhookInputSchema,
  deliveriesSchema,
  listDeliveriesInputSchema,
  sendAgainInputSchema,
  updateWebhookInputSchema,
  webhookSchema,
  webhookSecretSchema,
} from '#contract/people/webhooks.ts';
import { activeMemberProcedure, memberProcedure, ok, router } from '#server/trpc/procedures.ts';
import {
  createWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  renewSecret,
  sendAgain,
  sendTest,
  updateWebhook,
} from './service.ts';

/** Where people's own programs are told of their deals. */
export const webhooksRouter = router({
  list: memberProcedure
    .meta({ summary: 'The addresses that your events are sent to' })
    .output(z.array(webhookSchema))
    .query(({ ctx }) => listWebhooks(ctx)),

  create: activeMemberProcedure
    .meta({ summary: 'Have your events sent to an address; the answer alone has its secret' })
    .input(createWebhookInputSchema)
    .output(webhookSecretSchema)
    .mutation(({ ctx, input }) => createWebhook(ctx, input)),

  update: activeMemberProcedure
    .meta({ summary: 'Change an address, or switch it on or off' })
    .input(updateWebhookInputSchema)
    .output(webhookSchema)
    .mutation(({ ctx, input }) => updateWebhook(ctx, input)),

  remove: memberProcedure
    .meta({ summary: 'Remove an address, with what it was sent' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(removeWebhook(ctx, input.id))),

  renewSecret: activeMemberProcedure
    .meta({ summary: 'Give an address a new secret; the old one signs beside it for a day' })
    .input(idInputSchema)
    .output(webhookSecretSchema)
    .mutation(({ ctx, input }) => renewSecret(ctx, input.id)),

  deliveries: memberProcedure
    .meta({ summary: 'What an address was and will be sent' })
    .input(listDeliveriesInputSchema)
    .output(deliveriesSchema)
    .query(({ ctx, input }) => listDeliveries(ctx, input)),

  sendTest: activeMemberProcedure
    .meta({ summary: 'Send a test to an address' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(sendTest(ctx, input.id))),

  sendAgain: activeMemberProcedure
    .meta({ summary: 'Send something again, with the same id' })
    .input(sendAgainInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(sendAgain(ctx, input))),
});
