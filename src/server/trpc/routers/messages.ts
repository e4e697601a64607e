import { dealRefSchema } from '#contract/deals.ts';
import {
  conversationSchema,
  listConversationsInputSchema,
  listMessagesInputSchema,
  messageSchema,
  sendMessageInputSchema,
} from '#contract/messages.ts';
import { unreadCountSchema } from '#contract/notifications.ts';
import { okSchema, pageSchema } from '#contract/primitives.ts';
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

  list: memberProcedure
    .input(listMessagesInputSchema)
    .output(pageSchema(messageSchema))
    .query(({ ctx, input }) => listMessages(ctx, input)),

  send: activeMemberProcedure
    .input(sendMessageInputSchema)
    .output(messageSchema)
    .mutation(({ ctx, input }) => sendMessage(ctx, input)),

  markRead: memberProcedure
    .input(dealRefSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      await markThreadRead(ctx, input);
      return { ok: true } as const;
    }),

  unreadCount: memberProcedure.output(unreadCountSchema).query(({ ctx }) => unreadMessages(ctx)),
});
