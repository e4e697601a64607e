import { idInputSchema } from '#contract/base/primitives.ts';
import {
  askInputSchema,
  assistantRequestSchema,
  confirmRequestInputSchema,
} from '#contract/people/assistant-requests.ts';
import type { CallContext } from '#server/trpc/context.ts';
import { isRefusal } from '#server/trpc/once.ts';
import { memberProcedure, router } from '#server/trpc/procedures.ts';
import { ask, confirmRequest, declineRequest, requestById } from './service.ts';

/** A call by the name of its procedure, with all its own checks. */
type DoCall = (ctx: CallContext, procedure: string, input: unknown) => Promise<unknown>;

/** What assistants ask their person to do. Programs ask; only the person confirms, in a browser. */
export const assistantRequestsRouter = (doCall: DoCall) =>
  router({
    ask: memberProcedure
      .input(askInputSchema)
      .output(assistantRequestSchema)
      .mutation(({ ctx, input }) => ask(ctx, input)),

    byId: memberProcedure
      .input(idInputSchema)
      .output(assistantRequestSchema)
      .query(({ ctx, input }) => requestById(ctx, input.id)),

    confirm: memberProcedure
      .input(confirmRequestInputSchema)
      .output(assistantRequestSchema)
      .mutation(({ ctx, input }) =>
        confirmRequest(ctx, input, {
          doAct: (call) => doCall(ctx, call.procedure, call.input),
          isRefused: isRefusal,
        }),
      ),

    decline: memberProcedure
      .input(idInputSchema)
      .output(assistantRequestSchema)
      .mutation(({ ctx, input }) => declineRequest(ctx, input.id)),
  });
