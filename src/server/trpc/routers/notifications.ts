import { z } from 'zod';
import {
  listNotificationsInputSchema,
  notificationPreferenceSchema,
  notificationSchema,
  transactionLogSchema,
  unreadCountSchema,
  unsubscribedSchema,
  unsubscribeInputSchema,
} from '#contract/notifications.ts';
import { idInputSchema, okSchema, pageSchema, pagingSchema } from '#contract/primitives.ts';
import { listPreferences, setPreference, unsubscribe } from '#server/domains/notifications/preferences.ts';
import {
  listNotifications,
  listTransactionLogs,
  markAllRead,
  markRead,
  unreadCount,
} from '#server/domains/notifications/service.ts';
import { memberProcedure, publicProcedure, router } from '../procedures.ts';

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

  preferences: memberProcedure
    .output(z.array(notificationPreferenceSchema))
    .query(({ ctx }) => listPreferences(ctx)),

  setPreference: memberProcedure
    .input(notificationPreferenceSchema)
    .output(z.array(notificationPreferenceSchema))
    .mutation(({ ctx, input }) => setPreference(ctx, input)),

  unsubscribe: publicProcedure
    .input(unsubscribeInputSchema)
    .output(unsubscribedSchema)
    .mutation(({ ctx, input }) => unsubscribe(ctx, input)),
});
