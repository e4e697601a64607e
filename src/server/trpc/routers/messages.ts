import {
  conversationSchema,
  dealRefSchema,
  listConversationsInputSchema,
  listMessagesInputSchema,
  messageSchema,
  sendMessageInputSchema,
} from '#contract/messages.ts';
import { unreadCountSchema } from '#contract/notifications.ts';
import { idInputSchema, okSchema, pageSchema } from '#contract/primitives.ts';
import {
  conversationOf,
  listConversations,
  listMessages,
  markThreadRead,
  sendMessage,
  unreadMessages,
} from '#server/domains/messages/service.ts';
import { activeMemberProcedure, memberProcedure, router } from '../procedures.ts';

/** What the two parties of a deal write to each other. Reading, and marking as read, is allowed to suspended people. */
export const messagesRouter = router({
  conversations: memberProcedure
    .input(listConversationsInputSchema)
    .output(pageSchema(conversationSchema))
    .query(({ ctx, input }) => listConversations(ctx, input)),

  conversation: memberProcedure
    .input(dealRefSchema)
    .output(conversationSchema)
    .query(({ ctx, input }) => conversationOf(ctx, input)),

  ofExchange: memberProcedure
    .input(listMessagesInputSchema)
    .output(pageSchema(messageSchema))
    .query(({ ctx, input: { id, ...page } }) =>
      listMessages(ctx, { dealType: 'exchange', dealId: id }, page),
    ),

  ofBid: memberProcedure
    .input(listMessagesInputSchema)
    .output(pageSchema(messageSchema))
    .query(({ ctx, input: { id, ...page } }) => listMessages(ctx, { dealType: 'bid', dealId: id }, page)),

  sendToExchange: activeMemberProcedure
    .input(sendMessageInputSchema)
    .output(messageSchema)
    .mutation(({ ctx, input: { id, ...message } }) =>
      sendMessage(ctx, { dealType: 'exchange', dealId: id }, message),
    ),

  sendToBid: activeMemberProcedure
    .input(sendMessageInputSchema)
    .output(messageSchema)
    .mutation(({ ctx, input: { id, ...message } }) =>
      sendMessage(ctx, { dealType: 'bid', dealId: id }, message),
    ),

  readExchange: memberProcedure
    .input(idInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      await markThreadRead(ctx, { dealType: 'exchange', dealId: input.id });
      return { ok: true } as const;
    }),

  readBid: memberProcedure
    .input(idInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      await markThreadRead(ctx, { dealType: 'bid', dealId: input.id });
      return { ok: true } as const;
    }),

  unreadCount: memberProcedure.output(unreadCountSchema).query(({ ctx }) => unreadMessages(ctx)),
});
