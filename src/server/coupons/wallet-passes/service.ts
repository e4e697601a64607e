import { randomBytes } from 'node:crypto';
import { t } from '@lingui/core/macro';
import type { AddPassInput } from '#contract/coupons/wallet-passes.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { viewCode } from '#server/coupons/codes/service.ts';
import { inLanguageOf } from '#server/people/accounts/service.ts';
import { ServiceRefusal } from '#server/providers/service-calls.ts';
import { makeApplePass, openPass } from './making.ts';
import * as store from './store.ts';

const notSetUp = () => notFound(t`Wallet not found`);

/** Each takes a signature, and a call of Google's. */
const PASSES: RateLimit = { name: 'wallet-passes', points: 60, seconds: 60 * 60 };

/**
 * Gives the caller a pass with the code of their coupon for a wallet. Adding shows the code: the rules of showing it apply,
 * and it is recorded. Asking again gives the same pass.
 * @returns where the browser goes next
 * @throws AppError not_found (also a wallet that is not set up, or no code), forbidden, second_factor_required, conflict (a
 *   used coupon), rate_limited, unavailable
 */
export async function addPass(
  ctx: MemberContext,
  { id: couponId, wallet }: AddPassInput,
): Promise<{ url: string }> {
  const { google } = ctx.providers.wallets;
  if (!ctx.providers.wallets[wallet]) throw notSetUp();
  const { id: holderId } = ctx.actor;
  await enforceLimit(ctx.limiter, PASSES, String(holderId));
  const serial = await viewCode(ctx, couponId, async (trx, code) => {
    if (code === null)
      throw new AppError('not_found', t`Only a picture shows this code: no wallet can take it.`);
    const id = randomBytes(16).toString('base64url');
    const put = await store.putPass(trx, { id, couponId, holderId, wallet, at: ctx.clock() });
    if (put === undefined)
      throw new AppError('conflict', t`You have marked this coupon as used: no wallet takes it.`);
    return put;
  });
  if (wallet === 'apple' || !google) return { url: `/api/coupons/${couponId}/wallet-pass.pkpass` };
  const { pass } = await openPass(ctx, serial, holderId);
  if (pass.content === null) throw notFound(t`Coupon not found`);
  try {
    return { url: await google.save(pass) };
  } catch (error) {
    if (!(error instanceof ServiceRefusal)) throw error;
    throw new AppError('unavailable', t`Google Wallet does not answer right now. Please try again.`, {
      cause: error,
    });
  }
}

/**
 * The file of the pass that the caller has asked for. It shows the code, as `addPass` does.
 * @throws AppError not_found, forbidden, second_factor_required, rate_limited, unavailable
 */
export async function readPassFile(ctx: MemberContext, couponId: number): Promise<{ bytes: Buffer }> {
  const { apple } = ctx.providers.wallets;
  if (!apple) throw notSetUp();
  await enforceLimit(ctx.limiter, PASSES, String(ctx.actor.id));
  const serial = await viewCode(ctx, couponId, (trx) => store.findLive(trx, { couponId, wallet: 'apple' }));
  if (serial === undefined) throw notFound(t`Pass not found`);
  const opened = await openPass(ctx, serial, ctx.actor.id);
  if (opened.pass.content === null) throw notFound(t`Coupon not found`);
  return { bytes: await makeApplePass(ctx, apple, opened) };
}

/** Until now a pass may not have reached Google yet that somebody is adding. */
const ADDING_MS = 10 * 60_000;

/** About three weeks: see `takeDue`. */
const ATTEMPTS_MAX = 30;

/**
 * Tells the wallets of passes that have changed or become void, one after the other. What fails is tried again.
 * @returns how many were told
 */
export async function tellWallets(ctx: Context, signal?: AbortSignal): Promise<number> {
  const { apple, google } = ctx.providers.wallets;
  if (!apple && !google) return 0;
  let told = 0;
  while (!signal?.aborted) {
    const due = await store.takeDue(ctx.db, { at: ctx.clock() });
    if (!due) break;
    let isOver = due.attempts >= ATTEMPTS_MAX;
    try {
      if (await tell(ctx, due)) {
        isOver = true;
        told += 1;
      }
    } catch (error) {
      const { id: pass, attempts } = due;
      ctx.log.error({ err: error, pass, attempts }, 'a wallet could not be told of a change');
    }
    if (isOver) await store.settle(ctx.db, due);
  }
  return told;
}

type Due = NonNullable<Awaited<ReturnType<typeof store.takeDue>>>;

/** @returns false if that has to be tried again @throws ServiceRefusal */
async function tell(ctx: Context, due: Due): Promise<boolean> {
  const { apple, google } = ctx.providers.wallets;
  if (due.wallet === 'apple') {
    if (!apple) return false;
    const gone = await apple.push(await store.listPushTokens(ctx.db, due.id));
    await store.forgetPushTokens(ctx.db, gone);
    return true;
  }
  if (!google) return false;
  const isThere = await inLanguageOf(ctx.db, due.holderId, async () => {
    const { pass } = await openPass(ctx, due.id, due.holderId);
    return google.replace(pass);
  });
  return isThere || ctx.clock().getTime() - due.addedAt.getTime() > ADDING_MS;
}

/** A phone that has been away for longer keeps a void pass as it was. */
const VOID_KEPT_DAYS = 365;

/** Forgets passes that have been void for long, and their devices. */
export async function forgetVoidPasses(ctx: Context): Promise<void> {
  await store.forgetVoid(ctx.db, addDays(ctx.clock(), -VOID_KEPT_DAYS));
}
