import { z } from 'zod';
import { idInputSchema, okSchema } from '#contract/base/primitives.ts';
import {
  changePasswordInputSchema,
  chooseLanguageInputSchema,
  confirmationMailSchema,
  demoPersonSchema,
  deviceSessionSchema,
  disableSecondFactorInputSchema,
  identityInputSchema,
  loginInputSchema,
  proposedUsernameSchema,
  proposeUsernameInputSchema,
  recoveryCodesSchema,
  registerInputSchema,
  registerWithPasskeyInputSchema,
  registrationPlaceSchema,
  removePasskeyInputSchema,
  requestPasswordResetInputSchema,
  resetPasswordInputSchema,
  secondFactorCodeInputSchema,
  secondFactorInputSchema,
  secondFactorSchema,
  secondFactorSetUpSchema,
  sendVerificationInputSchema,
  sessionUserSchema,
  signInSchema,
  startDefenceInputSchema,
  startPasskeyRegistrationInputSchema,
  updateProfileInputSchema,
  verifiedEmailSchema,
  verifyEmailInputSchema,
} from '#contract/people/accounts.ts';
import {
  addPasskeyInputSchema,
  passkeyCreationSchema,
  passkeyRequestSchema,
  passkeySchema,
  passkeySignInInputSchema,
  renamePasskeyInputSchema,
} from '#contract/people/passkeys.ts';
import { currentUserSchema } from '#contract/people/sellers.ts';
import { currentSeller } from '#server/people/sellers/service.ts';
import {
  endOneSession,
  endOtherSessions,
  listSessions,
  listSignIns,
} from '#server/people/sessions/service.ts';
import type { CallContext } from '#server/trpc/context.ts';
import { enter, keep } from '#server/trpc/context.ts';
import {
  activeMemberProcedure,
  memberProcedure,
  ok,
  publicProcedure,
  router,
} from '#server/trpc/procedures.ts';
import { demoPeople, me } from './accounts.ts';
import { confirmationMail, sendVerification, verifyEmail } from './confirming.ts';
import { startDefence } from './defence.ts';
import { startPasskeyCheck, startPasskeySignIn } from './passkey-checks.ts';
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  startPasskey,
  startPasskeyRegistration,
} from './passkeys.ts';
import { changePassword, requestPasswordReset, resetPassword } from './passwords.ts';
import { chooseLanguage, updateProfile } from './profile.ts';
import { proposeUsername, registrationPlace } from './proposals.ts';
import {
  confirmSecondFactor,
  disableSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
  secondFactor,
  startSecondFactor,
} from './second-factor.ts';
import { login, loginWithPasskey, logout, register, registerWithPasskey } from './signing-in.ts';

const OK = { ok: true } as const;

type Kept = Parameters<CallContext['challengeCookie']['set']>[0];

/** What the browser has of an earlier sign-in, and of the challenge that it answers. */
function tokensOf({ sessionCookie, deviceCookie, challengeCookie }: CallContext) {
  return {
    previousToken: sessionCookie.token,
    device: deviceCookie.token,
    browser: challengeCookie.token,
  };
}

/** Answers with what a passkey is asked for. Only this browser may answer it. */
async function asking<Options>(
  ctx: CallContext,
  asked: Promise<{ options: Options; browser: Kept }>,
): Promise<Options> {
  const { options, browser } = await asked;
  ctx.challengeCookie.set(browser);
  return options;
}

export const accountsRouter = router({
  me: publicProcedure.output(sessionUserSchema.nullable()).query(({ ctx }) => me(ctx)),

  currentUser: memberProcedure
    .meta({ summary: 'The signed-in person; 401 when nobody is' })
    .output(currentUserSchema)
    .query(({ ctx }) => currentSeller(ctx)),

  demoPeople: publicProcedure.output(z.array(demoPersonSchema)).query(({ ctx }) => demoPeople(ctx)),

  registrationPlace: publicProcedure
    .output(registrationPlaceSchema)
    .query(({ ctx }) => registrationPlace(ctx)),

  /** A mutation, so that no part of an address is in a URL. */
  proposeUsername: publicProcedure
    .input(proposeUsernameInputSchema)
    .output(proposedUsernameSchema)
    .mutation(({ ctx, input }) => proposeUsername(ctx, input)),

  register: publicProcedure
    .meta({ summary: 'Registers a person and signs them in' })
    .input(registerInputSchema)
    .output(sessionUserSchema)
    .mutation(({ ctx, input }) =>
      enter(ctx, register(ctx, input, ctx.sessionCookie.token, ctx.deviceCookie.token)),
    ),

  startPasskeyRegistration: publicProcedure
    .input(startPasskeyRegistrationInputSchema)
    .output(passkeyCreationSchema)
    .mutation(({ ctx, input }) =>
      asking(ctx, startPasskeyRegistration(ctx, input, ctx.challengeCookie.token)),
    ),

  registerWithPasskey: publicProcedure
    .input(registerWithPasskeyInputSchema)
    .output(sessionUserSchema)
    .mutation(({ ctx, input }) => enter(ctx, registerWithPasskey(ctx, input, tokensOf(ctx)))),

  login: publicProcedure
    .meta({ summary: 'Signs in' })
    .input(loginInputSchema)
    .output(sessionUserSchema)
    .mutation(({ ctx, input }) =>
      enter(ctx, login(ctx, input, ctx.sessionCookie.token, ctx.deviceCookie.token)),
    ),

  /** Signs a banned person in, by their mailed link, to defend what is theirs. */
  startDefence: publicProcedure
    .input(startDefenceInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      ctx.sessionCookie.set(await startDefence(ctx, input));
      return OK;
    }),

  startPasskeySignIn: publicProcedure
    .output(passkeyRequestSchema)
    .mutation(({ ctx }) => asking(ctx, startPasskeySignIn(ctx, ctx.challengeCookie.token))),

  loginWithPasskey: publicProcedure
    .input(passkeySignInInputSchema)
    .output(sessionUserSchema)
    .mutation(({ ctx, input }) => enter(ctx, loginWithPasskey(ctx, input, tokensOf(ctx)))),

  logout: publicProcedure
    .meta({ summary: 'Signs out' })
    .output(okSchema)
    .mutation(async ({ ctx }) => {
      await logout(ctx, ctx.sessionCookie.token);
      ctx.sessionCookie.clear();
      return OK;
    }),

  confirmationMail: memberProcedure.output(confirmationMailSchema).query(({ ctx }) => confirmationMail(ctx)),

  sendVerification: memberProcedure
    .meta({ summary: 'Emails the confirmation link again' })
    .input(sendVerificationInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(sendVerification(ctx, input))),

  verifyEmail: publicProcedure
    .meta({ summary: 'Confirms an email address with an emailed link' })
    .input(verifyEmailInputSchema)
    .output(verifiedEmailSchema)
    .mutation(({ ctx, input }) => verifyEmail(ctx, input, ctx.sessionCookie.token)),

  requestPasswordReset: publicProcedure
    .meta({ summary: 'Emails a link to set a new password' })
    .input(requestPasswordResetInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(requestPasswordReset(ctx, input))),

  resetPassword: publicProcedure
    .meta({ summary: 'Sets a new password with an emailed link' })
    .input(resetPasswordInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      ctx.deviceCookie.set(await resetPassword(ctx, input, ctx.deviceCookie.token));
      return OK;
    }),

  updateProfile: activeMemberProcedure
    .meta({ summary: 'Changes the caller’s profile' })
    .input(updateProfileInputSchema)
    .output(sessionUserSchema)
    .mutation(({ ctx, input }) => updateProfile(ctx, input, ctx.challengeCookie.token)),

  chooseLanguage: memberProcedure
    .meta({ summary: 'Changes the language in which we write to the caller' })
    .input(chooseLanguageInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(chooseLanguage(ctx, input.language))),

  changePassword: activeMemberProcedure
    .meta({ summary: 'Changes the caller’s password' })
    .input(changePasswordInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      const { previousToken: token, device, browser: challenge } = tokensOf(ctx);
      keep(ctx, await changePassword(ctx, input, { token, device, challenge }));
      return OK;
    }),

  sessions: memberProcedure
    .meta({ summary: 'The browsers in which the caller is signed in' })
    .output(z.array(deviceSessionSchema))
    .query(({ ctx }) => listSessions(ctx, ctx.sessionCookie.token)),

  secondFactor: memberProcedure
    .meta({ summary: 'The state of the caller’s second factor' })
    .output(secondFactorSchema)
    .query(({ ctx }) => secondFactor(ctx)),

  startSecondFactor: memberProcedure
    .meta({ summary: 'Makes a key for an authenticator app' })
    .input(identityInputSchema)
    .output(secondFactorSetUpSchema)
    .mutation(({ ctx, input }) => startSecondFactor(ctx, input, ctx.challengeCookie.token)),

  enableSecondFactor: memberProcedure
    .meta({ summary: 'Turns the second factor on by the first code of the app' })
    .input(secondFactorCodeInputSchema)
    .output(recoveryCodesSchema)
    .mutation(({ ctx, input }) => enableSecondFactor(ctx, input, ctx.sessionCookie.token)),

  confirmSecondFactor: memberProcedure
    .meta({ summary: 'Gives the second factor again, for ten minutes' })
    .input(secondFactorInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => {
      const { sessionCookie, challengeCookie } = ctx;
      return ok(confirmSecondFactor(ctx, input, sessionCookie.token, challengeCookie.token));
    }),

  renewRecoveryCodes: memberProcedure
    .meta({ summary: 'Replaces the recovery codes' })
    .input(secondFactorInputSchema)
    .output(recoveryCodesSchema)
    .mutation(({ ctx, input }) => renewRecoveryCodes(ctx, input, ctx.challengeCookie.token)),

  disableSecondFactor: memberProcedure
    .meta({ summary: 'Turns the second factor off' })
    .input(disableSecondFactorInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(disableSecondFactor(ctx, input, ctx.challengeCookie.token))),

  passkeys: memberProcedure
    .meta({ summary: 'The caller’s passkeys' })
    .output(z.array(passkeySchema))
    .query(({ ctx }) => listPasskeys(ctx)),

  startPasskeyCheck: memberProcedure
    .output(passkeyRequestSchema)
    .mutation(({ ctx }) => asking(ctx, startPasskeyCheck(ctx, ctx.challengeCookie.token))),

  startPasskey: memberProcedure
    .input(identityInputSchema)
    .output(passkeyCreationSchema)
    .mutation(({ ctx, input }) => asking(ctx, startPasskey(ctx, input, ctx.challengeCookie.token))),

  addPasskey: memberProcedure
    .input(addPasskeyInputSchema)
    .output(passkeySchema)
    .mutation(({ ctx, input }) => addPasskey(ctx, input, ctx.challengeCookie.token)),

  renamePasskey: memberProcedure
    .meta({ summary: 'Renames a passkey' })
    .input(renamePasskeyInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(renamePasskey(ctx, input))),

  removePasskey: memberProcedure
    .meta({ summary: 'Removes a passkey' })
    .input(removePasskeyInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(removePasskey(ctx, input, ctx.challengeCookie.token))),

  signIns: memberProcedure
    .meta({ summary: 'The caller’s latest sign-ins' })
    .output(z.array(signInSchema))
    .query(({ ctx }) => listSignIns(ctx)),

  endSession: memberProcedure
    .meta({ summary: 'Signs the caller out in one browser' })
    .input(idInputSchema)
    .output(okSchema)
    .mutation(async ({ ctx, input }) => {
      const { isCurrent } = await endOneSession(ctx, input.id, ctx.sessionCookie.token);
      if (isCurrent) ctx.sessionCookie.clear();
      return OK;
    }),

  endOtherSessions: memberProcedure
    .meta({ summary: 'Signs out everywhere else' })
    .output(z.object({ ended: z.int() }))
    .mutation(({ ctx }) => endOtherSessions(ctx, ctx.sessionCookie.token)),
});
