import { z } from 'zod';
import { idInputSchema, okSchema, pageSchema } from '#contract/base/primitives.ts';
import {
  listNotificationsInputSchema,
  notificationPreferenceSchema,
  notificationSchema,
  unreadCountSchema,
  unsubscribedSchema,
  unsubscribeInputSchema,
} from '#contract/people/notifications.ts';
import { memberProcedure, ok, publicProcedure, router } from '#server/trpc/procedures.ts';
import { listPreferences, setPreference, unsubscribe } from './preferences.ts';
import { listNotifications, markAllRead, markRead, unreadCount } from './service.ts';

/**
 * Notifications and the history of transactions. Suspended people may mark notifications as read: it changes
 * no deal.
 */
export const notificationsRouter = router({
  list: memberProcedure
    .meta({ summary: 'The caller’s notifications, newest first' })
    .input(listNotificationsInputSchema)
    .output(pageSchema(notificationSchema))
    .query(({ ctx, input }) => listNotifications(ctx, input)),

  unreadCount: memberProcedure.output(unreadCountSchema).query(({ ctx }) => unreadCount(ctx)),

  markRead: memberProcedure
    .meta({ summary: 'Marks one notification as read' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(markRead(ctx, input.id))),

  markAllRead: memberProcedure
    .meta({ summary: 'Marks every notification as read' })
    .output(okSchema)
    .mutation(({ ctx }) => ok(markAllRead(ctx))),

  preferences: memberProcedure
    .meta({ summary: 'The caller’s notification preferences' })
    .output(z.array(notificationPreferenceSchema))
    .query(({ ctx }) => listPreferences(ctx)),

  setPreference: memberProcedure
    .meta({ summary: 'Sets one notification preference' })
    .input(notificationPreferenceSchema)
    .output(z.array(notificationPreferenceSchema))
    .mutation(({ ctx, input }) => setPreference(ctx, input)),

  unsubscribe: publicProcedure
    .input(unsubscribeInputSchema)
    .output(unsubscribedSchema)
    .mutation(({ ctx, input }) => unsubscribe(ctx, input)),
});
