import {
  listNotificationsInputSchema,
  notificationSchema,
  transactionLogSchema,
  unreadCountSchema,
} from '#contract/notifications.ts';
import { idInputSchema, okSchema, pageSchema, pagingSchema } from '#contract/primitives.ts';
import {
  listNotifications,
  listTransactionLogs,
  markAllRead,
  markRead,
  unreadCount,
} from '#server/domains/notifications/service.ts';
import { memberProcedure, router } from '../procedures.ts';

/** What people are told, and their history. Marking as read is allowed to suspended people: it changes no deal. */
export const notificationsRouter = router({
  list: memberProcedure
    .input(listNotificationsInputSchema)
    .output(pageSchema(notificationSchema))
    .query(({ ctx, input }) => listNotifications(ctx, input)),

  unreadCount: memberProcedure.output(unreadCountSchema).query(({ ctx }) => unreadCount(ctx)),

  markRead: memberProcedure
    .input(idInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      await markRead(ctx, input.id);
      return { ok: true } as const;
    }),

  markAllRead: memberProcedure.output(okSchema).mutation(async ({ ctx }) => {
    await markAllRead(ctx);
    return { ok: true } as const;
  }),

  transactionLogs: memberProcedure
    .input(pagingSchema)
    .output(pageSchema(transactionLogSchema))
    .query(({ ctx, input }) => listTransactionLogs(ctx, input)),
});
