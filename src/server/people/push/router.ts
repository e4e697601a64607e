import { idInputSchema, okSchema } from '#contract/base/primitives.ts';
import {
  pushSettingsSchema,
  setQuietHoursInputSchema,
  subscribePushInputSchema,
} from '#contract/people/push.ts';
import { memberProcedure, ok, router } from '#server/trpc/procedures.ts';
import { pushSettings, removeBrowser, sendTest, setQuietHours, subscribe } from './service.ts';

/** Pushes to browsers. Only browsers call this: a push needs a service worker. */
export const pushRouter = router({
  settings: memberProcedure
    .output(pushSettingsSchema)
    .query(({ ctx }) => pushSettings(ctx, ctx.sessionCookie.token)),

  subscribe: memberProcedure
    .input(subscribePushInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(subscribe(ctx, input, ctx.sessionCookie.token))),

  remove: memberProcedure
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(removeBrowser(ctx, input.id))),

  setQuietHours: memberProcedure
    .input(setQuietHoursInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(setQuietHours(ctx, input.quietHours))),

  sendTest: memberProcedure.output(okSchema).mutation(({ ctx }) => ok(sendTest(ctx))),
});
