import { randomBytes } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { CHALLENGE_MINUTES } from '#contract/base/limits.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { PasskeyAssertion, PasskeyRequest } from '#contract/people/passkeys.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { sha256 } from '#server/core/crypto.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction } from '#server/database/client.ts';
import { queueAccountMail, recordLog } from '#server/people/notifications/service.ts';
import { ACCOUNT_HISTORY } from '#server/texts/people.ts';
import * as store from './passkey-store.ts';
import type { Credentials } from './store.ts';
import { fromSite } from './tries.ts';

/** Every page that offers to sign in asks for a challenge. */
const CHALLENGES_PER_ADDRESS: RateLimit = { name: 'passkey-challenges', points: 300, seconds: 15 * 60 };
/** Limits answers of a signed-in person that are refused, from one network. */
const CHECKS: RateLimit = { name: 'passkey-check', points: 10, seconds: 15 * 60 };

const BROWSER_BYTES = 32;

/** Binds challenges to the browser that asked for them. It signs nobody in. */
export interface BrowserToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** A challenge's purpose, and the person who has to answer it, if that is known. */
export type Asked = Pick<store.Challenge, 'purpose' | 'userId'>;

/** The site that the passkeys belong to: every page of this host. */
export function relyingParty({ config }: Pick<Context, 'config'>): { id: string; origin: string } {
  const { hostname, origin } = new URL(config.publicUrl);
  return { id: hostname, origin };
}

/**
 * The id under which authenticators store a person's passkeys: it tells nothing about them, and stays the same. Of the
 * username, which nobody can change, because it is known before the account exists.
 */
export function userHandleOf({ vault }: Pick<Context, 'vault'>, username: string): Buffer<ArrayBuffer> {
  return Buffer.from(vault.fingerprint(`passkeys of ${username.toLowerCase()}`), 'hex');
}

/** Whether authenticators store a passkey of this person under the handle; passkeys of 1.0.0 have one of the id. */
function isHandleOf(ctx: Pick<Context, 'vault'>, { id, username }: Credentials, handle: string): boolean {
  const first = Buffer.from(ctx.vault.fingerprint(`passkeys of user ${id}`), 'hex');
  return [userHandleOf(ctx, username), first].some((known) => known.toString('base64url') === handle);
}

/**
 * Stores the challenge of some options, for one answer within five minutes.
 * @param browser the token that the browser came with; several of its tabs share it
 * @returns the token that it is to keep
 * @throws AppError rate_limited
 */
export async function askBrowser(
  ctx: Context,
  challenge: string,
  asked: Asked,
  browser: string | null,
): Promise<BrowserToken> {
  await enforceLimit(ctx.limiter, CHALLENGES_PER_ADDRESS, addressKey(ctx.ip));
  const expiresAt = new Date(ctx.clock().getTime() + CHALLENGE_MINUTES * 60_000);
  const token =
    browser && /^[\w-]{43}$/.test(browser) ? browser : randomBytes(BROWSER_BYTES).toString('base64url');
  await store.insertChallenge(ctx.db, {
    ...asked,
    challengeHash: sha256(challenge),
    browserHash: sha256(token),
    expiresAt,
  });
  return { token, expiresAt };
}

/**
 * Uses up the challenge that an answer was signed for.
 * @returns the challenge; null if it was not asked for in this way, was answered already or is too old
 */
export async function takeChallenge(
  { db, clock }: Context,
  clientDataJSON: string,
  asked: Asked,
  browser: string | null,
): Promise<string | null> {
  const challenge = await challengeOf(clientDataJSON);
  if (challenge === null || browser === null) return null;
  const hashes = { challengeHash: sha256(challenge), browserHash: sha256(browser) };
  return (await store.takeChallenge(db, { ...asked, ...hashes }, clock())) ? challenge : null;
}

async function challengeOf(clientDataJSON: string): Promise<string | null> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  try {
    const { challenge } = decodeClientDataJSON(clientDataJSON);
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** Asks for a passkey. @param passkeys those that may answer; undefined: any, the browser lets the person choose */
async function request(
  ctx: Context,
  asked: Asked,
  browser: string | null,
  passkeys?: readonly store.PasskeyRow[],
): Promise<{ options: PasskeyRequest; browser: BrowserToken }> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(ctx).id,
    userVerification: 'required',
    timeout: CHALLENGE_MINUTES * 60_000,
    ...(passkeys && {
      allowCredentials: passkeys.map(({ credentialId: id, transports }) => ({ id, transports })),
    }),
  });
  return { options, browser: await askBrowser(ctx, options.challenge, asked, browser) };
}

/** Asks for any passkey of this site, to sign in with. @throws AppError rate_limited */
export function startPasskeySignIn(ctx: Context, browser: string | null) {
  return request(ctx, { purpose: 'sign_in', userId: null }, browser);
}

/** Asks for one of the caller's passkeys. @throws AppError conflict (they have none), rate_limited */
export async function startPasskeyCheck(ctx: MemberContext, browser: string | null) {
  const passkeys = await store.listPasskeys(ctx.db, ctx.actor.id);
  if (passkeys.length === 0) throw new AppError('conflict', t`You have no passkey.`);
  return request(ctx, { purpose: 'confirm', userId: ctx.actor.id }, browser, passkeys);
}

/**
 * Whether a passkey has answered its challenge on a page of ours, and has verified its user. The challenge is spent in
 * any case. A signature counter that does not grow is a copied authenticator: refused, and its owner gets a mail.
 */
export async function isPasskeyAnswer(
  ctx: Context,
  given: { passkey: PasskeyAssertion; known: store.KnownPasskey; asked: Asked; browser: string | null },
): Promise<boolean> {
  const { passkey, known, asked, browser } = given;
  const { userHandle, clientDataJSON } = passkey.response;
  const expectedChallenge = await takeChallenge(ctx, clientDataJSON, asked, browser);
  // Authenticators may leave the handle out where we have named the passkeys.
  const isHandleRight =
    userHandle === undefined ? asked.userId === known.owner.id : isHandleOf(ctx, known.owner, userHandle);
  if (expectedChallenge === null || !isHandleRight) return false;
  const { id, origin } = relyingParty(ctx);
  const { credentialId, publicKey, counter } = known;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...passkey, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      // We compare the counters ourselves, once the signature is right: a forged answer causes no mail.
      credential: { id: credentialId, publicKey: Uint8Array.from(publicKey), counter: 0 },
    });
    if (!verified) return false;
    const { newCounter } = authenticationInfo;
    if (counter > 0 && newCounter <= counter) {
      await tellOfCopy(ctx, known);
      return false;
    }
    const use = { before: counter, counter: newCounter, at: ctx.clock() };
    return await store.notePasskeyUse(ctx.db, known.id, use);
  } catch (error) {
    if (error instanceof AppError) throw error;
    ctx.log.info({ userId: known.owner.id, reason: String(error) }, 'passkey refused');
    return false;
  }
}

/** Writes the refusal of a copied passkey into its owner's history, and mails it. */
async function tellOfCopy(ctx: Context, { owner: { id: userId }, name }: store.KnownPasskey): Promise<void> {
  const at = ctx.clock();
  await inTransaction(ctx.db, async (trx) => {
    const details = ACCOUNT_HISTORY.passkeyCopied({ name });
    await recordLog(trx, { userId, actorId: null, action: 'profile', details, at });
    await queueAccountMail(trx, { kind: 'passkey_copied', userId, address: null, body: name, at });
  });
}

/**
 * Checks one of the caller's passkeys, for what needs their identity again. It counts for both factors.
 * @throws AppError bad_input (refused), rate_limited
 */
export async function checkPasskey(
  ctx: MemberContext,
  passkey: PasskeyAssertion,
  browser: string | null,
): Promise<void> {
  const userId = ctx.actor.id;
  await enforceLimit(ctx.limiter, CHECKS, fromSite(ctx, userId));
  const known = await store.findPasskey(ctx.db, passkey.id);
  const asked = { purpose: 'confirm', userId } as const;
  const isRight =
    known?.owner.id === userId && (await isPasskeyAnswer(ctx, { passkey, known, asked, browser }));
  if (!isRight)
    throw fieldError('bad_input', 'passkey', TEXTS.accounts.passkeyRefused(), { kind: 'second_factor' });
  await ctx.limiter.reset(CHECKS, fromSite(ctx, userId));
}

export const findPasskey = store.findPasskey;

/** Removes challenges that nobody has answered in time; a job calls it. */
export function removePastChallenges({ db, clock }: Context): Promise<void> {
  return store.deletePastChallenges(db, clock());
}
