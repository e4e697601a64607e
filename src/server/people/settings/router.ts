import { idInputSchema, okSchema } from '#contract/base/primitives.ts';
import { newsNow } from '#contract/people/market-news.ts';
import {
  changeSettingInputSchema,
  marketNewsSchema,
  settingHistoryInputSchema,
  settingHistorySchema,
  settingsSchema,
} from '#contract/people/settings.ts';
import { adminProcedure, ok, publicProcedure, router } from '#server/trpc/procedures.ts';
import { changeSetting, listSettings, settingHistory, undoSettingChange } from './service.ts';

/** What admins change while the market runs. */
export const settingsRouter = router({
  announcement: publicProcedure
    .meta({ summary: 'What the operator tells everybody, and whether the market can only be read' })
    .output(marketNewsSchema)
    .query(({ ctx }) => newsNow(ctx.config, ctx.clock())),

  list: adminProcedure.output(settingsSchema).query(({ ctx }) => listSettings(ctx)),

  history: adminProcedure
    .input(settingHistoryInputSchema)
    .output(settingHistorySchema)
    .query(({ ctx, input }) => settingHistory(ctx, input.name)),

  change: adminProcedure
    .input(changeSettingInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(changeSetting(ctx, input))),

  undo: adminProcedure
    .input(idInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(undoSettingChange(ctx, input.id))),
});
