import { z } from 'zod';
import {
  changePasswordInputSchema,
  deleteAccountInputSchema,
  demoPersonSchema,
  deviceSessionSchema,
  loginInputSchema,
  registerInputSchema,
  requestPasswordResetInputSchema,
  resetPasswordInputSchema,
  sessionUserSchema,
  updateProfileInputSchema,
  verifiedEmailSchema,
  verifyEmailInputSchema,
} from '#contract/accounts.ts';
import { idInputSchema, okSchema } from '#contract/primitives.ts';
import { changePassword, requestPasswordReset, resetPassword } from '#server/domains/accounts/passwords.ts';
import { sendVerification, updateProfile, verifyEmail } from '#server/domains/accounts/profile.ts';
import { currentUser, demoPeople, me } from '#server/domains/accounts/service.ts';
import { login, logout, register } from '#server/domains/accounts/signing-in.ts';
import { deleteAccount } from '#server/domains/moderation/leaving.ts';
import { endOneSession, endOtherSessions, listSessions } from '#server/domains/sessions/service.ts';
import { activeMemberProcedure, memberProcedure, publicProcedure, router } from '../procedures.ts';

const OK = { ok: true } as const;

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
    return OK;
  }),

  sendVerification: memberProcedure.output(okSchema).mutation(async ({ ctx }) => {
    await sendVerification(ctx);
    return OK;
  }),

  verifyEmail: publicProcedure
    .input(verifyEmailInputSchema)
    .output(verifiedEmailSchema)
    .mutation(({ ctx, input }) => verifyEmail(ctx, input)),

  requestPasswordReset: publicProcedure
    .input(requestPasswordResetInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      await requestPasswordReset(ctx, input);
      return OK;
    }),

  resetPassword: publicProcedure
    .input(resetPasswordInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      await resetPassword(ctx, input);
      return OK;
    }),

  updateProfile: activeMemberProcedure
    .input(updateProfileInputSchema)
    .output(sessionUserSchema)
    .mutation(({ ctx, input }) => updateProfile(ctx, input)),

  changePassword: activeMemberProcedure
    .input(changePasswordInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      ctx.sessionCookie.set(await changePassword(ctx, input, ctx.sessionCookie.token));
      return OK;
    }),

  deleteAccount: memberProcedure
    .input(deleteAccountInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      await deleteAccount(ctx, input);
      ctx.sessionCookie.clear();
      return OK;
    }),

  sessions: memberProcedure
    .output(z.array(deviceSessionSchema))
    .query(({ ctx }) => listSessions(ctx, ctx.sessionCookie.token)),

  endSession: memberProcedure
    .input(idInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      const { isCurrent } = await endOneSession(ctx, input.id, ctx.sessionCookie.token);
      if (isCurrent) ctx.sessionCookie.clear();
      return OK;
    }),

  endOtherSessions: memberProcedure
    .output(z.object({ ended: z.int() }))
    .mutation(({ ctx }) => endOtherSessions(ctx, ctx.sessionCookie.token)),
});
