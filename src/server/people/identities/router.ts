import { z } from 'zod';
import { okSchema } from '#contract/base/primitives.ts';
import {
  identityInputSchema,
  removePasskeyInputSchema,
  sessionUserSchema,
} from '#contract/people/accounts.ts';
import {
  enterIdentityInputSchema,
  finishIdentityInputSchema,
  identityProviderSchema,
  identityReturnSchema,
  identitySchema,
  identityStartSchema,
  linkIdentityInputSchema,
  pendingIdentitySchema,
  registerIdentityInputSchema,
  startIdentityInputSchema,
} from '#contract/people/identities.ts';
import { checkIdentity } from '#server/people/accounts/service.ts';
import type { CallContext } from '#server/trpc/context.ts';
import { enter } from '#server/trpc/context.ts';
import { memberProcedure, ok, publicProcedure, router } from '#server/trpc/procedures.ts';
import { finishIdentity, identityProvider, pendingIdentity, startIdentity } from './requests.ts';
import {
  enterWithIdentity,
  linkIdentity,
  listIdentities,
  registerWithIdentity,
  removeIdentity,
} from './service.ts';

/** What the browser has of an earlier sign-in, and of the one at the provider. */
function tokensOf({ sessionCookie, deviceCookie, identityCookie }: CallContext) {
  return {
    previousToken: sessionCookie.token,
    device: deviceCookie.token,
    identity: identityCookie.token,
  };
}

/** Signing in with a provider of OpenID. */
export const identitiesRouter = router({
  provider: publicProcedure
    .output(identityProviderSchema.nullable())
    .query(({ ctx }) => identityProvider(ctx)),

  start: publicProcedure
    .input(startIdentityInputSchema)
    .output(identityStartSchema)
    .mutation(async ({ ctx, input }) => {
      const { start, browser } = await startIdentity(ctx, input, ctx.identityCookie.token);
      ctx.identityCookie.set(browser);
      return start;
    }),

  /** The same for a link to the caller's account. */
  startLink: memberProcedure
    .input(identityInputSchema)
    .output(identityStartSchema)
    .mutation(async ({ ctx, input }) => {
      await checkIdentity(ctx, input, ctx.challengeCookie.token);
      const { start, browser } = await startIdentity(ctx, {}, ctx.identityCookie.token, ctx.actor.id);
      ctx.identityCookie.set(browser);
      return start;
    }),

  /** rest/identities.ts calls it, where the provider sends the browser. */
  finish: publicProcedure
    .input(finishIdentityInputSchema)
    .output(identityReturnSchema)
    .mutation(async ({ ctx, input }) => {
      const { path, browser } = await finishIdentity(ctx, input, ctx.identityCookie.token);
      if (browser) ctx.identityCookie.set(browser);
      return { path };
    }),

  pending: publicProcedure
    .output(pendingIdentitySchema.nullable())
    .query(({ ctx }) => pendingIdentity(ctx, ctx.identityCookie.token, ctx.sessionCookie.token)),

  enter: publicProcedure
    .input(enterIdentityInputSchema)
    .output(sessionUserSchema)
    .mutation(({ ctx, input }) => enter(ctx, enterWithIdentity(ctx, input, tokensOf(ctx)))),

  register: publicProcedure
    .input(registerIdentityInputSchema)
    .output(sessionUserSchema)
    .mutation(({ ctx, input }) => enter(ctx, registerWithIdentity(ctx, input, tokensOf(ctx)))),

  link: memberProcedure
    .input(linkIdentityInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => {
      const { sessionCookie, identityCookie, challengeCookie } = ctx;
      const tokens = {
        session: sessionCookie.token,
        identity: identityCookie.token,
        challenge: challengeCookie.token,
      };
      return ok(linkIdentity(ctx, input, tokens));
    }),

  list: memberProcedure
    .meta({ summary: 'The caller’s sign-ins with other services' })
    .output(z.array(identitySchema))
    .query(({ ctx }) => listIdentities(ctx)),

  remove: memberProcedure
    .meta({ summary: 'Removes a sign-in with another service' })
    .input(removePasskeyInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(removeIdentity(ctx, input, ctx.challengeCookie.token))),
});
