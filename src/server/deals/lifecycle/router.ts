import { pageSchema } from '#contract/base/primitives.ts';
import { listTransactionLogsInputSchema, transactionLogSchema } from '#contract/people/notifications.ts';
import { memberProcedure, router } from '#server/trpc/procedures.ts';
import { listTransactionLogs } from './service.ts';

/** What has happened in deals; mounted among the notifications. */
export const historyRouter = router({
  transactionLogs: memberProcedure
    .meta({ summary: 'The caller’s history' })
    .input(listTransactionLogsInputSchema)
    .output(pageSchema(transactionLogSchema))
    .query(({ ctx, input }) => listTransactionLogs(ctx, input)),
});
