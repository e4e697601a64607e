import { randomBytes } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { localPath } from '#contract/base/i18n.ts';
import type {
  FinishIdentityInput,
  IdentityProvider,
  IdentityStart,
  PendingIdentity,
  StartIdentityInput,
} from '#contract/people/identities.ts';
import { type IdentityFailure, identityPath } from '#contract/people/identities.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { sha256 } from '#server/core/crypto.ts';
import { AppError } from '#server/core/errors.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction } from '#server/database/client.ts';
import { isAddressFree } from '#server/people/accounts/service.ts';
import { sessionBegan } from '#server/people/sessions/service.ts';
import { type OpenId, OpenIdRefusal, OpenIdUnavailable } from '#server/providers/openid/openid.ts';
import * as store from './store.ts';

/** For the provider's page. */
const ANSWER_MINUTES = 10;
/** For what comes after it: a username is chosen, or one signs in. */
const PROOF_MINUTES = 30;
const STARTS_PER_ADDRESS: RateLimit = { name: 'identity-starts', points: 60, seconds: 15 * 60 };
const BROWSER_BYTES = 32;

/** Binds a sign-in at the provider to the browser that began it. It signs nobody in. */
interface BrowserToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** The provider that people sign in with; null: none is set up. */
export async function identityProvider({ providers }: Context): Promise<IdentityProvider | null> {
  const { openId } = providers;
  return openId && { name: openId.name, isAvailable: await openId.isAvailable() };
}

/** @throws AppError not_found */
export function openIdOf({ providers }: Context): OpenId {
  if (providers.openId) return providers.openId;
  throw new AppError('not_found', t`This market has no provider to sign in with.`);
}

/**
 * Begins a sign-in at the provider.
 * @param browser the token that the browser came with; several of its tabs share it
 * @param userId who links an identity; null: a sign-in
 * @returns the provider's page, and the token that the browser is to keep
 * @throws AppError not_found, unavailable, rate_limited
 */
export async function startIdentity(
  ctx: Context,
  { from }: StartIdentityInput,
  browser: string | null,
  userId: number | null = null,
): Promise<{ start: IdentityStart; browser: BrowserToken }> {
  await enforceLimit(ctx.limiter, STARTS_PER_ADDRESS, addressKey(ctx.ip));
  const openId = openIdOf(ctx);
  const { url, state, nonce, verifier } = await begun(ctx, openId);
  const expiresAt = minutesFrom(ctx, ANSWER_MINUTES);
  const token =
    browser && /^[\w-]{43}$/.test(browser) ? browser : randomBytes(BROWSER_BYTES).toString('base64url');
  await store.insertRequest(ctx.db, {
    stateHash: sha256(state),
    browserHash: sha256(token),
    userId,
    returnPath: from ?? null,
    nonce,
    verifier,
    expiresAt,
  });
  return { start: { url }, browser: { token, expiresAt } };
}

async function begun(ctx: Context, openId: OpenId) {
  try {
    return await openId.begin();
  } catch (error) {
    if (!(error instanceof OpenIdUnavailable)) throw error;
    ctx.log.warn({ err: error }, 'the provider of OpenID does not answer');
    const { name } = openId;
    const text = t`${name} does not answer at the moment. Try again in a minute, or sign in another way.`;
    throw new AppError('unavailable', text, { cause: error });
  }
}

/**
 * Takes the provider's answer to a sign-in that this browser has begun; each is answered once. Signs nobody in: the page
 * it leads to does, by calls that come from our own pages.
 * @returns where the browser goes on, and the token that it is to keep from now on, if it was named anybody
 * @throws AppError unauthorized (not begun here, answered already or too old; the answer proves nothing), not_found
 */
export async function finishIdentity(
  ctx: Context,
  { query }: FinishIdentityInput,
  browser: string | null,
): Promise<{ path: string; browser: BrowserToken | null }> {
  const openId = openIdOf(ctx);
  const state = new URLSearchParams(query).get('state');
  const at = ctx.clock();
  const key = { stateHash: sha256(state ?? ''), browserHash: sha256(browser ?? '') };
  const request = state && browser ? await store.takeAnswer(ctx.db, key, at) : undefined;
  if (!request || !state || !browser) throw refused('not begun in this browser, or answered already');
  const { returnPath: from, nonce, verifier } = request;
  const failed = (failure: IdentityFailure) => ({
    path: localPath(identityPath({ from, failed: failure })),
    browser: null,
  });
  try {
    const person = await openId.finish(query, { state, nonce, verifier });
    const expiresAt = minutesFrom(ctx, PROOF_MINUTES);
    const proof = { ...person, provedAt: at, expiresAt };
    await inTransaction(ctx.db, (trx) => store.storeProof(trx, key, proof));
    return { path: localPath(identityPath({ from })), browser: { token: browser, expiresAt } };
  } catch (error) {
    if (error instanceof OpenIdUnavailable) {
      ctx.log.warn({ err: error }, 'the provider of OpenID does not answer');
      return failed('unavailable');
    }
    if (!(error instanceof OpenIdRefusal)) throw error;
    if (error.isCancelled) return failed('cancelled');
    throw refused(error.message, error);
  }

  function refused(reason: string, cause?: unknown): AppError {
    ctx.log.info({ reason, ip: ctx.ip }, 'the answer of the provider of OpenID was refused');
    const refusal = { kind: 'sign_in', userId: undefined } as const;
    return new AppError('unauthorized', t`The sign-in did not work. Please try again.`, {
      cause,
      refused: refusal,
    });
  }
}

function minutesFrom({ clock }: Context, minutes: number): Date {
  return new Date(clock().getTime() + minutes * 60_000);
}

/** What was proved in a browser, and whose account it opens. */
export async function provedIn(ctx: Context, browser: string | null) {
  const proved = browser ? await store.findProved(ctx.db, sha256(browser), ctx.clock()) : undefined;
  if (!proved || proved.issuer !== ctx.providers.openId?.issuer) return null;
  return { ...proved, linked: await store.findIdentity(ctx.db, proved) };
}

/** For a proof that is used up or too old. */
export function proofOver(): AppError {
  return new AppError('unauthorized', t`This sign-in has taken too long. Please start again.`);
}

/** How it goes on with whom the provider has named in this browser; null: it has named nobody lately. */
export async function pendingIdentity(
  ctx: Context,
  browser: string | null,
  session: string | null,
): Promise<PendingIdentity | null> {
  const proved = await provedIn(ctx, browser);
  if (!proved) return null;
  const { actor } = ctx;
  if (proved.userId !== null && proved.userId !== actor?.id) return null;
  const { email, isEmailVerified, userId, linked } = proved;
  const next = userId !== null ? 'link' : linked ? 'enter' : actor ? 'link' : 'choose';
  return {
    next,
    provider: openIdOf(ctx).name,
    email,
    isEmailVerified,
    hasAccount: email !== null && isEmailVerified && !(await isAddressFree(ctx.db, ctx, email)),
    needsProof: next === 'link' && actor !== null && (await needsProof({ ...ctx, actor }, proved, session)),
  };
}

/**
 * Whether who links has to prove again that the account is theirs: not where they did before they went to the provider,
 * nor where they have signed in since they came back.
 */
export async function needsProof(
  ctx: MemberContext,
  { userId, provedAt }: Pick<store.ProvedRequest, 'userId' | 'provedAt'>,
  session: string | null,
): Promise<boolean> {
  if (userId === ctx.actor.id) return false;
  const began = session && (await sessionBegan(ctx.db, session));
  return !began || began < provedAt;
}

/** Removes requests that are over; a job calls it. */
export function removePastIdentityRequests({ db, clock }: Context): Promise<void> {
  return store.deletePastRequests(db, clock());
}
