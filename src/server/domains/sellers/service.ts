import { countryCodeOf } from '#contract/countries.ts';
import { paths } from '#contract/pages.ts';
import type { ConnectAccountStatus, PaymentProviderName, PaypalSellerStatus } from '#contract/sellers.ts';
import { TEXTS } from '#contract/texts.ts';
import { AppError } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { type Database, inTransaction, isUniqueViolation, type Trx } from '#server/database/client.ts';
import {
  type PaymentProvider,
  ProviderRefusal,
  ProviderUnreachable,
  type SellerAccount,
} from '#server/providers/payments.ts';
import { currentUser } from '../accounts/service.ts';
import type { Context, MemberContext } from '../context.ts';
import { notify, recordLog } from '../notifications/service.ts';
import { refusalText, setUpKey, staleText, storyOf, takenText } from './rules.ts';
import * as store from './store.ts';
import { toConnectStatus, toPaypalStatus } from './view.ts';

const HOUR = 3_600;
/** Every try may make something at the provider's. */
const LINKS_PER_PERSON: RateLimit = { name: 'seller-links', points: 30, seconds: HOUR };
/** The page asks at every look; who asks more often is answered from what is known. */
const READS_PER_PERSON: RateLimit = { name: 'seller-reads', points: 60, seconds: 60 };

/** The person's accounts that money can be paid to now, by the last word of each provider. */
export async function readyAccounts(
  db: Database | Trx,
  userId: number,
): Promise<ReadonlyMap<PaymentProviderName, string>> {
  const rows = await store.listAccounts(db, userId);
  return new Map(
    rows.flatMap(({ provider, accountRef, isReady }) =>
      isReady && accountRef !== null ? [[provider, accountRef] as const] : [],
    ),
  );
}

/** Whether anybody can pay the caller, and whether there is anybody to set that up with. */
export async function sellerReadiness(
  ctx: MemberContext,
): Promise<{ isReady: boolean; isAvailable: boolean }> {
  const { stripe, paypal } = ctx.providers.payments;
  const ready = await readyAccounts(ctx.db, ctx.actor.id);
  return { isReady: ready.size > 0, isAvailable: stripe !== null || paypal !== null };
}

/** The caller's account with Stripe, read anew; the state known last, with a note, while Stripe does not answer. */
export async function connectAccountStatus(ctx: MemberContext): Promise<ConnectAccountStatus> {
  const { row, ...rest } = await readOwn(ctx, 'stripe');
  return toConnectStatus(row, rest);
}

/** The same of PayPal. */
export async function paypalSellerStatus(ctx: MemberContext): Promise<PaypalSellerStatus> {
  const { row, ...rest } = await readOwn(ctx, 'paypal');
  return toPaypalStatus(row, rest);
}

/**
 * A link to Stripe's pages, where the caller sets up their account; it works once.
 * @throws AppError payments_unavailable, conflict or bad_input (refused by Stripe), rate_limited
 */
export async function createAccountLink(ctx: MemberContext): Promise<{ url: string }> {
  return { url: await startSetUp(ctx, 'stripe') };
}

/** The same at PayPal. @throws AppError as `createAccountLink` */
export async function createPaypalOnboardingLink(ctx: MemberContext): Promise<{ onboardingUrl: string }> {
  return { onboardingUrl: await startSetUp(ctx, 'paypal') };
}

/**
 * Reads an account from its provider and stores what it says, when an event tells that something has changed there.
 * Of an account that nobody here has begun to set up, nothing is stored.
 * @throws ProviderRefusal, ProviderUnreachable: to be tried again later
 */
export async function refreshAccount(
  ctx: Context,
  given: { provider: PaymentProviderName; userId: number | null; accountRef: string | null },
): Promise<void> {
  const { provider, userId, accountRef } = given;
  const api = ctx.providers.payments[provider];
  if (!api) return;
  const known = accountRef === null ? undefined : await store.findAccountByRef(ctx.db, provider, accountRef);
  const owner = known?.userId ?? userId;
  if (owner !== null) await readAnew(ctx, api, owner);
}

/**
 * Tells a seller that a buyer wants to pay a bid and cannot until an account is set up; once for each bid.
 * Locks the seller's row.
 */
export async function tellSellerToSetUp(
  trx: Trx,
  bid: { sellerId: number; bidId: number; buyerUsername: string; couponTitle: string; at: Date },
): Promise<void> {
  const { sellerId, bidId, buyerUsername, couponTitle, at } = bid;
  if (await store.wasToldOfBid(trx, { sellerId, bidId, link: paths.sellerOnboarding })) return;
  await notify(trx, {
    userId: sellerId,
    type: 'other',
    content: `${buyerUsername} wants to pay you for ${couponTitle}. Set up a payment account to receive the money.`,
    relatedId: bidId,
    link: paths.sellerOnboarding,
    mailSubject: 'A buyer wants to pay you',
    at,
  });
}

/** The caller's row after a fresh look at the provider, where there is anything to look at. */
async function readOwn(ctx: MemberContext, name: PaymentProviderName) {
  const key = { userId: ctx.actor.id, provider: name };
  const api = ctx.providers.payments[name];
  const isSpent = (await ctx.limiter.consume(READS_PER_PERSON, `${name} ${ctx.actor.id}`)) > 0;
  const note = api && !isSpent ? await tryToRead(ctx, api) : null;
  return { row: await store.findAccount(ctx.db, key), isAvailable: api !== null, note };
}

/** @returns what to say when that did not succeed; null when it did */
async function tryToRead(ctx: MemberContext, api: PaymentProvider): Promise<string | null> {
  try {
    const isOwn = await readAnew(ctx, api, ctx.actor.id);
    return isOwn ? null : takenText(api.name);
  } catch (error) {
    if (!(error instanceof ProviderUnreachable || error instanceof ProviderRefusal)) throw error;
    ctx.log.warn({ err: error, provider: api.name }, 'a seller account could not be read');
    return staleText(api.name);
  }
}

const TRIES = 3;

/**
 * Asks the provider and stores the answer. An answer that another has overtaken may be older than the other: it is
 * asked for anew, so that the last word stored is never older than the one before.
 * @returns false when the account belongs to somebody else here
 */
async function readAnew(ctx: Context, api: PaymentProvider, userId: number): Promise<boolean> {
  const key = { userId, provider: api.name };
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const before = await store.findAccount(ctx.db, key);
    if (!before) return true;
    const account = await api.readAccount({ userId, accountRef: before.accountRef });
    const settle = (trx: Trx) => settleAccount(trx, before, account, ctx.clock());
    try {
      if (await inTransaction(ctx.db, settle)) return true;
    } catch (error) {
      if (!isUniqueViolation(error, 'seller_accounts_ref')) throw error;
      ctx.log.warn({ userId, provider: api.name }, 'a seller account is taken by somebody else');
      return false;
    }
  }
  return true;
}

/** Stores what was read, and tells the seller what that changes. @returns false when another was faster */
async function settleAccount(
  trx: Trx,
  before: store.AccountRow,
  account: SellerAccount | null,
  at: Date,
): Promise<boolean> {
  const row = await store.lockAccount(trx, before);
  if (!row) return true;
  if (row.updatedAt.getTime() !== before.updatedAt.getTime()) return false;
  if (account) await store.storeState(trx, row, account, at);
  // A set-up that was begun may yet lead somewhere; an account that has gone leads nowhere.
  else if (row.accountRef !== null) await store.deleteAccount(trx, row);
  await tellOfChange(trx, row, account?.isReady ?? false, at);
  return true;
}

async function tellOfChange(trx: Trx, before: store.AccountRow, isReady: boolean, at: Date): Promise<void> {
  const { userId, provider } = before;
  const story = storyOf(provider, before.isReady, isReady);
  if (!story) return;
  await recordLog(trx, { userId, actorId: null, action: 'profile', details: story.content, at });
  await notify(trx, { userId, type: 'other', relatedId: null, link: paths.sellerOnboarding, at, ...story });
}

/**
 * Begins or goes on with the set-up of an account. The row stands before the provider is called, and the key of the
 * call is made from it: two clicks at once, or a click after an answer that was lost, lead to one account.
 */
async function startSetUp(ctx: MemberContext, name: PaymentProviderName): Promise<string> {
  const api = ctx.providers.payments[name];
  if (!api) throw unavailable();
  const { id: userId } = ctx.actor;
  await enforceLimit(ctx.limiter, LINKS_PER_PERSON, String(userId));
  const person = await currentUser(ctx);
  const country = countryCodeOf(person.country);
  if (country === null) throw new AppError('bad_input', refusalText(name, 'country', person.country));

  const key = { userId, provider: name };
  const row = await inTransaction(ctx.db, (trx) => store.beginAccount(trx, key, ctx.clock()));
  const { publicUrl } = ctx.config;
  try {
    const { accountRef, url } = await api.startOnboarding({
      userId,
      accountRef: row.accountRef,
      email: person.email,
      displayName: person.username,
      country,
      returnUrl: publicUrl + paths.sellerReturn('returned', name),
      refreshUrl: publicUrl + paths.sellerReturn('refresh', name),
      idempotencyKey: setUpKey(row, ctx.clock()),
    });
    if (accountRef !== null && row.accountRef === null) await noteAccount(ctx, key, accountRef);
    return url;
  } catch (error) {
    if (error instanceof ProviderUnreachable) throw unavailable(error);
    if (!(error instanceof ProviderRefusal)) throw error;
    // Nothing has happened there: the next try is a new one, under a new key.
    await store.deleteBegun(ctx.db, key, row.createdAt);
    ctx.log.warn({ err: error, provider: name, userId }, 'the set-up of a seller account was refused');
    throw new AppError('conflict', refusalText(name, error.code, person.country), { cause: error });
  }
}

async function noteAccount(
  ctx: Context,
  key: { userId: number; provider: PaymentProviderName },
  accountRef: string,
): Promise<void> {
  const note = (trx: Trx) => store.noteAccountRef(trx, key, accountRef, ctx.clock());
  const noted = await inTransaction(ctx.db, note).catch((error: unknown) => {
    if (isUniqueViolation(error, 'seller_accounts_ref')) return null;
    throw error;
  });
  if (noted === null) throw new AppError('conflict', takenText(key.provider));
  if (noted !== accountRef) {
    throw new AppError('conflict', 'This set-up was started twice. Please try once more.');
  }
}

/** The error for a payment provider that is not set up or cannot be reached. */
export function unavailable(cause?: unknown): AppError {
  return new AppError('payments_unavailable', TEXTS.checkout.unavailable, { cause });
}
