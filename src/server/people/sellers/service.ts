import { t } from '@lingui/core/macro';
import { countryName } from '#contract/base/countries.ts';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type {
  ConnectAccountStatus,
  CurrentUser,
  PaymentProviderName,
  PaypalSellerStatus,
} from '#contract/people/sellers.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { type Database, inTransaction, isUniqueViolation, type Trx } from '#server/database/client.ts';
import { currentUser, enforceSecondFactor } from '#server/people/accounts/service.ts';
import { notify, recordLog } from '#server/people/notifications/service.ts';
import {
  type PaymentProvider,
  ProviderRefusal,
  ProviderUnreachable,
  type SellerAccount,
} from '#server/providers/payments.ts';
import { SELLER_TEXTS } from '#server/texts/money.ts';
import { refusalText, setUpKey, staleText, takenText } from './rules.ts';
import * as store from './store.ts';
import { toAccountFields, toConnectStatus, toPaypalStatus } from './view.ts';

const HOUR = 3_600;
/** Each try may create something at the provider. */
const LINKS_PER_PERSON: RateLimit = { name: 'seller-links', points: 30, seconds: HOUR };
/** The page asks on every load; above the limit, the stored state is returned. */
const READS_PER_PERSON: RateLimit = { name: 'seller-reads', points: 60, seconds: 60 };

/** A person's accounts that can be paid now, as last reported by the providers. */
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

/** Whether the caller can be paid, and whether any provider is set up here. */
export async function sellerReadiness(
  ctx: MemberContext,
): Promise<{ isReady: boolean; isAvailable: boolean }> {
  const { stripe, paypal } = ctx.providers.payments;
  const ready = await readyAccounts(ctx.db, ctx.actor.id);
  return { isReady: ready.size > 0, isAvailable: stripe !== null || paypal !== null };
}

/** The signed-in person with the last known state of their seller accounts. @throws AppError unauthorized */
export async function currentSeller(ctx: MemberContext): Promise<CurrentUser> {
  const [person, accounts] = await Promise.all([currentUser(ctx), store.listAccounts(ctx.db, ctx.actor.id)]);
  return { ...person, ...toAccountFields(accounts) };
}

/** The caller's Stripe account, refreshed; the last known state with a note while Stripe does not answer. */
export async function connectAccountStatus(ctx: MemberContext): Promise<ConnectAccountStatus> {
  const { row, ...rest } = await readOwn(ctx, 'stripe');
  return toConnectStatus(row, rest);
}

/** Like connectAccountStatus, for PayPal. */
export async function paypalSellerStatus(ctx: MemberContext): Promise<PaypalSellerStatus> {
  const { row, ...rest } = await readOwn(ctx, 'paypal');
  return toPaypalStatus(row, rest);
}

/**
 * A single-use link to Stripe's account set-up.
 * @throws AppError payments_unavailable, conflict or bad_input (refused by Stripe), rate_limited
 */
export async function createAccountLink(ctx: MemberContext): Promise<{ url: string }> {
  return { url: await startSetUp(ctx, 'stripe') };
}

/** @throws AppError as `createAccountLink` */
export async function createPaypalOnboardingLink(ctx: MemberContext): Promise<{ onboardingUrl: string }> {
  return { onboardingUrl: await startSetUp(ctx, 'paypal') };
}

/**
 * Refreshes an account from its provider after an event. Ignores accounts that nobody here has begun to set up.
 * @throws ProviderRefusal, ProviderUnreachable: try again later
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
  if (owner !== null) await refreshFromProvider(ctx, api, owner);
}

/** Notifies a seller that a buyer cannot pay until an account is set up. */
export async function askSellerToSetUp(
  trx: Trx,
  bid: { sellerId: number; bidId: number; buyerUsername: string; couponTitle: string; at: Date },
): Promise<void> {
  const { sellerId, bidId, buyerUsername, couponTitle, at } = bid;
  await notify(trx, {
    userId: sellerId,
    type: 'other',
    content: SELLER_TEXTS.buyerWaits.text({ buyer: buyerUsername, coupon: couponTitle }),
    relatedId: bidId,
    link: paths.sellerOnboarding,
    mailSubject: SELLER_TEXTS.buyerWaits.subject(),
    at,
  });
}

/** The caller's account, refreshed if the provider is set up. */
async function readOwn(ctx: MemberContext, name: PaymentProviderName) {
  const key = { userId: ctx.actor.id, provider: name };
  const api = ctx.providers.payments[name];
  const isSpent = (await ctx.limiter.consume(READS_PER_PERSON, `${name} ${ctx.actor.id}`)) > 0;
  const note = api && !isSpent ? await tryToRead(ctx, api) : null;
  return { row: await store.findAccount(ctx.db, key), isAvailable: api !== null, note };
}

/** @returns a note when it failed; null on success */
async function tryToRead(ctx: MemberContext, api: PaymentProvider): Promise<string | null> {
  try {
    const isOwn = await refreshFromProvider(ctx, api, ctx.actor.id);
    return isOwn ? null : takenText(api.name);
  } catch (error) {
    if (!(error instanceof ProviderUnreachable || error instanceof ProviderRefusal)) throw error;
    ctx.log.warn({ err: error, provider: api.name }, 'a seller account could not be read');
    return staleText(api.name);
  }
}

const TRIES = 3;

/**
 * Reads the account from the provider and stores it. If another answer was stored meanwhile, reads again, so that an
 * older answer never replaces a newer one.
 * @returns false when the account belongs to somebody else here
 */
async function refreshFromProvider(ctx: Context, api: PaymentProvider, userId: number): Promise<boolean> {
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

/** Stores the account and notifies the seller of a change. @returns false when another answer was stored meanwhile */
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
  // A set-up without an account yet may still be finished; a vanished account may not.
  else if (row.accountRef !== null) await store.deleteAccount(trx, row);
  await notifyOfChange(trx, row, account, at);
  return true;
}

async function notifyOfChange(
  trx: Trx,
  before: store.AccountRow,
  now: SellerAccount | null,
  at: Date,
): Promise<void> {
  const { userId, provider } = before;
  const failed = now?.failedPayout ?? null;
  const isReady = now?.isReady ?? false;
  const stories = [];
  if (isReady !== before.isReady) {
    const { text, subject } = isReady ? SELLER_TEXTS.ready : SELLER_TEXTS.notReady;
    stories.push({ content: text({ provider }), mailSubject: subject({ provider }) });
  }
  if (failed !== null && failed.ref !== before.failedPayout?.ref) {
    const { text, subject } = SELLER_TEXTS.payoutFailed;
    stories.push({ content: text({ provider, ...failed }), mailSubject: subject() });
  }
  for (const story of stories) {
    await recordLog(trx, { userId, actorId: null, action: 'profile', details: story.content, at });
    await notify(trx, { userId, type: 'other', relatedId: null, link: paths.sellerOnboarding, at, ...story });
  }
}

/**
 * Starts or continues the set-up of an account. The row is written before the call and determines its key, so that a
 * double click or a retry leads to one account.
 */
async function startSetUp(ctx: MemberContext, name: PaymentProviderName): Promise<string> {
  await enforceSecondFactor(ctx, 'always');
  const api = ctx.providers.payments[name];
  if (!api) throw paymentsUnavailable();
  const { id: userId } = ctx.actor;
  await enforceLimit(ctx.limiter, LINKS_PER_PERSON, String(userId));
  const person = await currentUser(ctx);

  const key = { userId, provider: name };
  const row = await inTransaction(ctx.db, (trx) => store.ensureAccount(trx, key, ctx.clock()));
  const { publicUrl } = ctx.config;
  try {
    const { accountRef, url } = await api.startOnboarding({
      userId,
      accountRef: row.accountRef,
      email: person.email,
      displayName: person.username,
      country: person.country,
      returnUrl: publicUrl + paths.sellerReturn('returned', name),
      refreshUrl: publicUrl + paths.sellerReturn('refresh', name),
      idempotencyKey: setUpKey(row, ctx.clock()),
    });
    if (accountRef !== null && row.accountRef === null) await storeAccount(ctx, key, accountRef);
    return url;
  } catch (error) {
    if (error instanceof ProviderUnreachable) throw paymentsUnavailable(error);
    if (!(error instanceof ProviderRefusal)) throw error;
    // Nothing was created; the next try uses a new key.
    await store.deleteStarted(ctx.db, key, row.createdAt);
    ctx.log.warn({ err: error, provider: name, userId }, 'the set-up of a seller account was refused');
    throw new AppError('conflict', refusalText(name, error.code, countryName(person.country)), {
      cause: error,
    });
  }
}

async function storeAccount(
  ctx: Context,
  key: { userId: number; provider: PaymentProviderName },
  accountRef: string,
): Promise<void> {
  const note = (trx: Trx) => store.storeAccountRef(trx, key, accountRef, ctx.clock());
  const noted = await inTransaction(ctx.db, note).catch((error: unknown) => {
    if (isUniqueViolation(error, 'seller_accounts_ref')) return null;
    throw error;
  });
  if (noted === null) throw new AppError('conflict', takenText(key.provider));
  if (noted !== accountRef) {
    throw new AppError('conflict', t`This set-up was started twice. Please try again.`);
  }
}

/** The error for a payment provider that is not set up or cannot be reached. */
export function paymentsUnavailable(cause?: unknown): AppError {
  return new AppError('payments_unavailable', TEXTS.checkout.unavailable(), { cause });
}
