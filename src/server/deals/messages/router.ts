import { okSchema, pageSchema } from '#contract/base/primitives.ts';
import { dealRefSchema } from '#contract/deals/deals.ts';
import {
  conversationSchema,
  listConversationsInputSchema,
  listMessagesInputSchema,
  messageSchema,
  sendMessageInputSchema,
} from '#contract/deals/messages.ts';
import { unreadCountSchema } from '#contract/people/notifications.ts';
import { defenderProcedure, memberProcedure, ok, router } from '#server/trpc/procedures.ts';
import {
  conversationOf,
  listConversations,
  listMessages,
  markThreadRead,
  sendMessage,
  unreadMessages,
} from './service.ts';

/** Messages between the parties of a deal. Suspended people read them, and write in deals that have an open claim. */
export const messagesRouter = router({
  conversations: memberProcedure
    .meta({ summary: 'The caller’s conversations, the last changed first' })
    .input(listConversationsInputSchema)
    .output(pageSchema(conversationSchema))
    .query(({ ctx, input }) => listConversations(ctx, input)),

  conversation: memberProcedure
    .meta({ summary: 'One conversation' })
    .input(dealRefSchema)
    .output(conversationSchema)
    .query(({ ctx, input }) => conversationOf(ctx, input)),

  list: memberProcedure
    .meta({ summary: 'The messages of a deal, oldest first' })
    .input(listMessagesInputSchema)
    .output(pageSchema(messageSchema))
    .query(({ ctx, input }) => listMessages(ctx, input)),

  send: defenderProcedure
    .meta({ summary: 'Writes to the other party of a deal' })
    .input(sendMessageInputSchema)
    .output(messageSchema)
    .mutation(({ ctx, input }) => sendMessage(ctx, input)),

  markRead: defenderProcedure
    .meta({ summary: 'Marks the caller’s received messages in a deal as read' })
    .input(dealRefSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(markThreadRead(ctx, input))),

  unreadCount: memberProcedure
    .meta({ summary: 'How many messages the caller has not read' })
    .output(unreadCountSchema)
    .query(({ ctx }) => unreadMessages(ctx)),
});
