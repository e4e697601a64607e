import { z } from 'zod';
import {
  demoPersonSchema,
  loginInputSchema,
  registerInputSchema,
  sessionUserSchema,
} from '#contract/accounts.ts';
import { okSchema } from '#contract/primitives.ts';
import { currentUser, demoPeople, login, logout, me, register } from '#server/domains/accounts/service.ts';
import { memberProcedure, publicProcedure, router } from '../procedures.ts';

export const accountsRouter = router({
  me: publicProcedure.output(sessionUserSchema.nullable()).query(({ ctx }) => me(ctx)),

  currentUser: memberProcedure.output(sessionUserSchema).query(({ ctx }) => currentUser(ctx)),

  demoPeople: publicProcedure.output(z.array(demoPersonSchema)).query(({ ctx }) => demoPeople(ctx)),

  register: publicProcedure
    .input(registerInputSchema)
    .output(sessionUserSchema)
    .mutation(async ({ ctx, input }) => {
      const { user, session } = await register(ctx, input, ctx.sessionCookie.token);
      ctx.sessionCookie.set(session);
      return user;
    }),

  login: publicProcedure
    .input(loginInputSchema)
    .output(sessionUserSchema)
    .mutation(async ({ ctx, input }) => {
      const { user, session } = await login(ctx, input, ctx.sessionCookie.token);
      ctx.sessionCookie.set(session);
      return user;
    }),

  logout: publicProcedure.output(okSchema).mutation(async ({ ctx }) => {
    await logout(ctx, ctx.sessionCookie.token);
    ctx.sessionCookie.clear();
    return { ok: true } as const;
  }),
});
