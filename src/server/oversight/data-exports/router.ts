import {
  dataExportPartInputSchema,
  dataExportPartSchema,
  dataExportSchema,
  requestDataExportInputSchema,
} from '#contract/oversight/data-exports.ts';
import { memberProcedure, router } from '#server/trpc/procedures.ts';
import { latestExport, readPart, requestExport } from './service.ts';

/** Copies of what is stored about the caller. */
export const dataExportsRouter = router({
  latest: memberProcedure
    .meta({ summary: 'The copy of their own data that the caller asked for last' })
    .output(dataExportSchema)
    .query(({ ctx }) => latestExport(ctx)),

  request: memberProcedure
    .meta({
      summary: 'Asks for a copy of all that is stored about the caller; we mail them when it is ready',
    })
    .input(requestDataExportInputSchema)
    .output(dataExportSchema)
    .mutation(({ ctx, input }) => requestExport(ctx, input, ctx.challengeCookie.token)),

  part: memberProcedure
    .input(dataExportPartInputSchema)
    .output(dataExportPartSchema)
    .query(({ ctx, input }) => readPart(ctx, input)),
});
