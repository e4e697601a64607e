import { randomInt } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { marketName } from '#contract/base/market.ts';
import type {
  DisableSecondFactorInput,
  IdentityInput,
  RecoveryCodes,
  SecondFactor,
  SecondFactorCodeInput,
  SecondFactorInput,
  SecondFactorSetUp,
} from '#contract/people/accounts.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { enforceWait, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { queueAccountMail, recordLog } from '#server/people/notifications/service.ts';
import { drawCode } from '#server/people/pictures/service.ts';
import { confirmSession } from '#server/people/sessions/service.ts';
import { SECOND_FACTOR_TEXTS } from '#server/texts/people.ts';
import type { StoredText } from '#server/texts/stored.ts';
import { checkPassword } from './accounts.ts';
import { checkPasskey } from './passkey-checks.ts';
import * as store from './second-factor-store.ts';
import { type CodeCounts, countFactorTry, memberCodeCounts, signInCodeCounts } from './tries.ts';
import { endWaysIn, waysInText, waysOf } from './ways-in.ts';

/**
 * Wrong codes of the app. Three of a million are right at a time: somebody who knows the password would guess for about
 * thirty years. Recovery codes cannot be guessed and are taken all the same, so that nobody is locked out.
 */
const WRONG_CODES: RateLimit = {
  name: 'second-factor-day',
  points: 30,
  seconds: 24 * 60 * 60,
  text: () => t`Too many wrong codes. You can still use a recovery code or a passkey.`,
};
/** Codes of the step before and after are accepted too, because clocks differ. */
const TOLERANCE_SECONDS = 30;
/** How long a given code counts for actions that ask for it again. */
const CONFIRMED_MINUTES = 10;

const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 10;
/** Without characters that look alike. 31 characters give a code 49 bits. */
const RECOVERY_SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** What a sealed key is bound to. */
export const secondFactorContext = (userId: number) => `second factor ${userId}`;

const notOn = () => new AppError('conflict', t`The second factor is not on.`);

/** The state of the caller's second factor. */
export async function secondFactor(ctx: MemberContext): Promise<SecondFactor> {
  const { id } = ctx.actor;
  const enabledAt = (await store.find(ctx.db, id))?.enabledAt ?? null;
  const codes = enabledAt && (await store.countRecoveryCodes(ctx.db, id));
  return {
    isOn: enabledAt !== null,
    enabledAt: enabledAt?.toISOString() ?? null,
    recoveryCodesLeft: codes?.count ?? 0,
    recoveryCodesMadeAt: codes?.since?.toISOString() ?? null,
  };
}

async function hasSecondFactor({ db }: Context, userId: number): Promise<boolean> {
  const factor = await store.find(db, userId);
  return factor !== undefined && factor.enabledAt !== null;
}

/**
 * Makes a key for the caller's authenticator app. It counts for nothing until `enableSecondFactor`; asked again, the
 * key is another one.
 * @throws AppError bad_input (a wrong password, a refused passkey), rate_limited, conflict (it is on), unavailable
 */
export async function startSecondFactor(
  ctx: MemberContext,
  { password = '', passkey }: IdentityInput,
  browser: string | null,
): Promise<SecondFactorSetUp> {
  const { id: userId, username } = ctx.actor;
  if (passkey) await checkPasskey(ctx, passkey, browser);
  else await checkPassword(ctx, password, 'password');
  if (await hasSecondFactor(ctx, userId)) throw new AppError('conflict', t`The second factor is already on.`);
  const { generateSecret, generateURI } = await import('otplib');
  const secret = generateSecret();
  const sealed = ctx.vault.seal(secret, secondFactorContext(userId));
  await inTransaction(ctx.db, (trx) => store.begin(trx, { userId, secret: sealed, createdAt: ctx.clock() }));
  const uri = generateURI({ issuer: marketName(), label: username, secret });
  const drawn = await drawCode(ctx, 'qrcode', uri);
  if (!drawn) throw new Error('The QR code of an authenticator key could not be drawn');
  return { secret, qrCode: `data:image/png;base64,${Buffer.from(drawn.bytes).toString('base64')}` };
}

/**
 * Turns the second factor on by the first code of the app. The other sessions end, and what may come by mail.
 * @param token of the session that asks
 * @returns the recovery codes, which are shown this once
 * @throws AppError bad_input (a wrong code), conflict (not begun, or on already), rate_limited
 */
export async function enableSecondFactor(
  ctx: MemberContext,
  { code }: SecondFactorCodeInput,
  token: string | null,
): Promise<RecoveryCodes> {
  const userId = ctx.actor.id;
  const before = await store.find(ctx.db, userId);
  if (!before || before.enabledAt !== null) throw new AppError('conflict', t`Start the set-up first.`);
  await countFactorTry(ctx, memberCodeCounts(ctx));
  return inTransaction(ctx.db, async (trx) => {
    const factor = await store.lock(trx, userId);
    const step = factor && factor.enabledAt === null ? await stepOf(ctx, userId, factor, code) : null;
    if (step === null) throw wrongCode(userId);
    await store.update(trx, userId, { lastStep: step, enabledAt: ctx.clock() });
    await endWaysIn(trx, ctx, userId, { session: token, setUp: true, authenticator: true });
    await tell(trx, ctx, SECOND_FACTOR_TEXTS.on.history(), SECOND_FACTOR_TEXTS.on.mail());
    return renewCodes(trx, ctx);
  });
}

/**
 * Takes the password and a code, or a passkey alone.
 * @throws AppError bad_input (one of them is wrong), conflict (it is not on), rate_limited
 */
export async function disableSecondFactor(
  ctx: MemberContext,
  { password, ...given }: DisableSecondFactorInput,
  browser: string | null = null,
): Promise<void> {
  if (!given.passkey) await checkPassword(ctx, password ?? '', 'password');
  await spend(ctx, given, browser, async (trx) => {
    await store.remove(trx, ctx.actor.id);
    await tell(trx, ctx, SECOND_FACTOR_TEXTS.off.history(), SECOND_FACTOR_TEXTS.off.mail());
  });
}

/**
 * Turns off the second factor of somebody who has lost it, and ends every other way in: a passkey at hand would have
 * done in place of the code, so they are lost too, and the lost phone may be signed in. The caller checks permission.
 */
export async function turnOffSecondFactor(trx: Trx, ctx: MemberContext, userId: number): Promise<void> {
  const { ended, left } = await endWaysIn(trx, ctx, userId, {
    session: null,
    setUp: false,
    authenticator: false,
  });
  // That everybody is signed out is no news, and what belongs to the factor goes with it.
  const others = { ...ended, sessions: 0, authenticator: null, recoveryCodes: null };
  const { lost, lostWithWaysIn } = SECOND_FACTOR_TEXTS;
  if (waysOf(others).length === 0) await tell(trx, ctx, lost.history(), lost.mail(), userId);
  else {
    const mail = lostWithWaysIn.mail({ text: waysInText({ ended: others, left }) });
    await tell(trx, ctx, lostWithWaysIn.history(), mail, userId);
  }
}

/** Replaces the caller's recovery codes. @throws AppError bad_input (a wrong code), conflict (it is not on), rate_limited */
export async function renewRecoveryCodes(
  ctx: MemberContext,
  given: SecondFactorInput,
  browser: string | null = null,
): Promise<RecoveryCodes> {
  return spend(ctx, given, browser, (trx) => renewCodes(trx, ctx));
}

/**
 * Takes a code or a passkey for what needs the second factor again: see `enforceSecondFactor`.
 * @param token of the session that asks
 * @throws AppError bad_input (a wrong code), conflict (it is not on), rate_limited
 */
export async function confirmSecondFactor(
  ctx: MemberContext,
  given: SecondFactorInput,
  token: string | null,
  browser: string | null = null,
): Promise<void> {
  await spend(ctx, given, browser, (trx) => confirmSession(trx, token ?? '', ctx.clock()));
}

/** Checks a passkey or a code of the caller's and runs `act`. */
async function spend<Result>(
  ctx: MemberContext,
  { code, passkey }: SecondFactorInput,
  browser: string | null,
  act: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  const userId = ctx.actor.id;
  if (!passkey) return spendCode(ctx, userId, { code: code ?? '', counts: memberCodeCounts(ctx) }, act);
  if (!(await hasSecondFactor(ctx, userId))) throw notOn();
  await checkPasskey(ctx, passkey, browser);
  return inTransaction(ctx.db, act);
}

/**
 * Asks people who have a second factor for it when they sign in.
 * @param browser the one that they sign in with, if the account knows it: others cannot use up its tries
 * @throws AppError second_factor_required (no code), bad_input (a wrong one), rate_limited
 */
export async function checkSignInCode(
  ctx: Context,
  userId: number,
  code: string | undefined,
  browser: string | null,
): Promise<void> {
  if (!(await hasSecondFactor(ctx, userId))) return;
  if (code === undefined) throw required();
  const counts = signInCodeCounts(ctx, userId, browser);
  await spendCode(ctx, userId, { code, counts }, async () => {});
}

/**
 * Asks people who have a second factor for it again, before an act for which an open browser should not be enough.
 * @param when `always`: unless they gave it in the last ten minutes (the sign-in does not count); `newBrowser`: once in
 *   each session that began in a browser new to the account
 * Whoever made a key has proved it: a program of theirs is in no new browser, and has no code for the other acts.
 * @throws AppError second_factor_required, forbidden (a key, for such an act)
 */
export async function enforceSecondFactor(ctx: MemberContext, when: 'always' | 'newBrowser'): Promise<void> {
  const { session, apiKey } = ctx;
  if (apiKey && when === 'newBrowser') return;
  if (when === 'newBrowser' && session && (!session.isNewBrowser || session.confirmedAt)) return;
  const since = ctx.clock().getTime() - CONFIRMED_MINUTES * 60_000;
  if (session?.confirmedAt && session.confirmedAt.getTime() >= since) return;
  if (await hasSecondFactor(ctx, ctx.actor.id)) throw apiKey ? notByKey() : required();
}

function notByKey(): AppError {
  return new AppError(
    'forbidden',
    t`This needs your second factor, which a key cannot give. Do it in your browser.`,
  );
}

function required(): AppError {
  return new AppError('second_factor_required', t`Enter the code from your authenticator app to continue.`);
}

function wrongCode(userId: number): AppError {
  const text = t`This code is wrong or already used. Wait for the next one.`;
  return fieldError('bad_input', 'code', text, { kind: 'second_factor', userId });
}

/** Uses up a code and runs `act` in the same transaction. */
async function spendCode<Result>(
  ctx: Context,
  userId: number,
  { code, counts }: { code: string; counts: CodeCounts },
  act: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  if (!(await hasSecondFactor(ctx, userId))) throw notOn();
  const forget = await countFactorTry(ctx, counts);
  if (isOfApp(code)) await enforceWait(ctx.limiter, WRONG_CODES, counts.fromEverywhere);
  const done = await inTransaction(ctx.db, async (trx) => {
    const factor = await store.lock(trx, userId);
    if (!factor || factor.enabledAt === null) throw notOn();
    const step = await stepOf(ctx, userId, factor, code);
    if (step !== null) await store.update(trx, userId, { lastStep: step });
    else if (!(await store.takeRecoveryCode(trx, userId, hashOf(ctx, userId, code), ctx.clock())))
      return null;
    return { result: await act(trx) };
  });
  if (done) {
    await forget();
    return done.result;
  }
  if (isOfApp(code)) await countWrongCode(ctx, userId, counts);
  throw wrongCode(userId);
}

/** Counts a wrong code of the app. The owner gets a mail when no more are taken. */
async function countWrongCode(ctx: Context, userId: number, { fromEverywhere }: CodeCounts): Promise<void> {
  await ctx.limiter.consume(WRONG_CODES, fromEverywhere);
  if ((await ctx.limiter.waitFor(WRONG_CODES, fromEverywhere)) === 0) return;
  const mail = { kind: 'second_factor_tries', userId, address: null, at: ctx.clock() } as const;
  await inTransaction(ctx.db, (trx) => queueAccountMail(trx, mail));
}

const digitsOf = (code: string) => code.replaceAll(' ', '');

/** Whether it looks like a code of the app: recovery codes are longer. */
const isOfApp = (code: string) => /^\d{6}$/.test(digitsOf(code));

/** The step that a code of the app belongs to; null where it is wrong or spent. */
async function stepOf(
  ctx: Context,
  userId: number,
  factor: store.SecondFactorRow,
  code: string,
): Promise<number | null> {
  if (!isOfApp(code)) return null;
  const { verifySync } = await import('otplib');
  const result = verifySync({
    secret: ctx.vault.open(factor.secret, secondFactorContext(userId)),
    token: digitsOf(code),
    epoch: Math.floor(ctx.clock().getTime() / 1_000),
    epochTolerance: TOLERANCE_SECONDS,
    afterTimeStep: factor.lastStep,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}

function hashOf({ vault }: Context, userId: number, code: string): string {
  return vault.fingerprint(`recovery code ${userId} ${code.toLowerCase().replace(/[ -]/g, '')}`);
}

async function renewCodes(trx: Trx, ctx: MemberContext): Promise<RecoveryCodes> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: RECOVERY_LENGTH }, () => RECOVERY_SIGNS[randomInt(RECOVERY_SIGNS.length)]).join(''),
  );
  const userId = ctx.actor.id;
  await store.replaceRecoveryCodes(
    trx,
    userId,
    codes.map((code) => hashOf(ctx, userId, code)),
    ctx.clock(),
  );
  return { recoveryCodes: codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`) };
}

/** Writes a change of somebody's second factor into their history, and mails it to them. */
async function tell(
  trx: Trx,
  ctx: MemberContext,
  details: StoredText,
  body: StoredText,
  userId = ctx.actor.id,
): Promise<void> {
  const at = ctx.clock();
  await recordLog(trx, { userId, actorId: ctx.actor.id, action: 'profile', details, at });
  await queueAccountMail(trx, { kind: 'second_factor', userId, address: null, body, at });
}
