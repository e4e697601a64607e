import { okSchema } from '#contract/base/primitives.ts';
import {
  approvedSchema,
  authorizationInputSchema,
  authorizationSchema,
  registerClientInputSchema,
  registeredClientSchema,
  revokeTokenInputSchema,
  tokenInputSchema,
  tokensSchema,
} from '#contract/people/oauth.ts';
import { memberProcedure, ok, publicProcedure, router } from '#server/trpc/procedures.ts';
import { approve, giveTokens, readAuthorization, registerClient, revokeToken } from './service.ts';

/** How people connect assistants. No key may do it. */
export const oauthRouter = router({
  register: publicProcedure
    .input(registerClientInputSchema)
    .output(registeredClientSchema)
    .mutation(({ ctx, input }) => registerClient(ctx, input)),

  authorization: memberProcedure
    .input(authorizationInputSchema)
    .output(authorizationSchema)
    .query(({ ctx, input }) => readAuthorization(ctx, input)),

  approve: memberProcedure
    .input(authorizationInputSchema)
    .output(approvedSchema)
    .mutation(({ ctx, input }) => approve(ctx, input)),

  token: publicProcedure
    .input(tokenInputSchema)
    .output(tokensSchema)
    .mutation(({ ctx, input }) => giveTokens(ctx, input)),

  revoke: publicProcedure
    .input(revokeTokenInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(revokeToken(ctx, input))),
});
