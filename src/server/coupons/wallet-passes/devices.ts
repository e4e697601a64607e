import { createHash, timingSafeEqual } from 'node:crypto';
import { t } from '@lingui/core/macro';
import type {
  ChangedPasses,
  ChangedPassesInput,
  LatestPass,
  LatestPassInput,
  RegisterDeviceInput,
  UnregisterDeviceInput,
  WalletLogInput,
} from '#contract/coupons/wallet-passes.ts';
import type { Context } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { addressKey, enforceLimit, enforceWait, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction } from '#server/database/client.ts';
import { inLanguageOf } from '#server/people/accounts/service.ts';
import type { AppleWallet } from '#server/providers/wallets/wallets.ts';
import { makeApplePass, openPass, tokenOf } from './making.ts';
import * as store from './store.ts';

/** Wrong tokens of one address. */
const FORGERIES: RateLimit = { name: 'wallet-forgeries', points: 30, seconds: 600 };
/** Phones of many people may share an address. */
const CALLS: RateLimit = { name: 'wallet-calls', points: 1_000, seconds: 600 };
const LOGS: RateLimit = { name: 'wallet-logs', points: 20, seconds: 600 };

/** A pass is on a phone, a watch, a tablet; wallets sometimes register one device under many numbers. */
const DEVICES_MAX = 20;

const LOG_LINES = 5;
const LOG_LENGTH = 200;

/**
 * Registers a device that has a pass, so that it is told of changes.
 * @throws AppError not_found (the wallet is not set up), unauthorized, rate_limited
 */
export async function registerDevice(
  ctx: Context,
  { deviceId, pushToken, ...proof }: RegisterDeviceInput,
): Promise<{ isNew: boolean }> {
  await findProven(ctx, proof);
  return inTransaction(ctx.db, async (trx) => {
    const device = { deviceId, pushToken, passId: proof.serial, at: ctx.clock() };
    const isNew = await store.putDevice(trx, device);
    await store.keepLatestDevices(trx, proof.serial, DEVICES_MAX);
    return { isNew };
  });
}

/** Stops telling a device of a pass; may be repeated. @throws AppError as `registerDevice` */
export async function unregisterDevice(
  ctx: Context,
  { deviceId, ...proof }: UnregisterDeviceInput,
): Promise<void> {
  await findProven(ctx, proof);
  await store.removeDevice(ctx.db, proof.serial, deviceId);
}

/** The passes of a device that have changed, some perhaps again. @throws AppError not_found, rate_limited */
export async function listChangedPasses(
  ctx: Context,
  { passType, deviceId, since }: ChangedPassesInput,
): Promise<ChangedPasses> {
  appleOf(ctx, passType);
  await enforceLimit(ctx.limiter, CALLS, addressKey(ctx.ip));
  const { ids, tag } = await store.listChanged(ctx.db, { deviceId, since: Number(since ?? 0) });
  return { serialNumbers: ids, lastUpdated: tag };
}

/**
 * The pass as it is now; void, without a code, once its holder is not the coupon's.
 * @throws AppError as `registerDevice`, unavailable
 */
export async function latestPass(ctx: Context, { since, ...proof }: LatestPassInput): Promise<LatestPass> {
  const { apple, pass } = await findProven(ctx, proof);
  const changedAt = pass.changedAt.toISOString();
  if (since !== undefined && new Date(since) >= pass.changedAt) return { changedAt, bytes: null };
  const bytes = await inLanguageOf(ctx.db, pass.holderId, async () =>
    makeApplePass(ctx, apple, await openPass(ctx, proof.serial, pass.holderId)),
  );
  return { changedAt, bytes };
}

/** Logs what a wallet reports, cut off. @throws AppError not_found, rate_limited */
export async function logReports(ctx: Context, { logs }: WalletLogInput): Promise<void> {
  if (!ctx.providers.wallets.apple) throw notFound(t`Wallet not found`);
  await enforceLimit(ctx.limiter, LOGS, addressKey(ctx.ip));
  const reports = logs.slice(0, LOG_LINES).map((line) => line.slice(0, LOG_LENGTH));
  ctx.log.warn({ reports }, 'a wallet reports problems');
}

function appleOf({ providers }: Context, passType: string): AppleWallet {
  const { apple } = providers.wallets;
  if (apple?.passType !== passType) throw notFound(t`Wallet not found`);
  return apple;
}

/** A pass whose token the caller has. Tokens are 256 bits, compared in constant time, and wrong ones are counted. */
async function findProven(
  ctx: Context,
  { passType, serial, authorization }: { passType: string; serial: string; authorization: string },
) {
  const apple = appleOf(ctx, passType);
  const caller = addressKey(ctx.ip);
  await enforceWait(ctx.limiter, FORGERIES, caller);
  await enforceLimit(ctx.limiter, CALLS, caller);
  const pass = isSame(authorization, `ApplePass ${tokenOf(ctx, serial)}`)
    ? await store.findPass(ctx.db, serial, 'apple')
    : undefined;
  if (!pass) {
    await ctx.limiter.consume(FORGERIES, caller);
    throw new AppError('unauthorized', t`This is not the token of the pass.`);
  }
  return { apple, pass };
}

const digest = (text: string) => createHash('sha256').update(text).digest();

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}
