import { t } from '@lingui/core/macro';
import { quote } from '#contract/base/words.ts';
import type { Context } from '#server/context/context.ts';
import { addMinutes } from '#server/core/clock.ts';
import { AppError } from '#server/core/errors.ts';
import type { Reissue } from '#server/coupons/codes/reissuing.ts';
import {
  continueMoved,
  listOfExchange,
  lockOfExchange,
  mint,
  restore,
  restoreExchange,
  TAKEN_MINUTES,
  takeDue,
} from '#server/coupons/codes/service.ts';
import { inTransaction } from '#server/database/client.ts';
import { changesOf } from '#server/deals/lifecycle/service.ts';
import { type ApplyContext, applyChanges } from './apply.ts';
import { completerOf, decide, judgeMint } from './decide.ts';
import * as store from './store.ts';

/**
 * An exchange whose merchants can mint new codes moves in three steps: the intent is stored, the programmes mint, and one
 * transaction moves all coupons with their new codes. If a programme gives none, the others restore the old codes.
 */

/** What a process without a caller needs. */
type ProgramContext = ApplyContext & Pick<Context, 'db' | 'log'>;

/**
 * Has all codes of an exchange minted that are written down, and completes it. Call it outside transactions.
 * @param given.isAcknowledged whether it goes on with the old code of a coupon whose programme refuses a new one
 * @throws AppError code_unchecked (refused, not acknowledged), conflict (no answer), code_on_its_way (somebody else goes on
 *   with it), deal_changed, coupon_unavailable; then the old codes are valid again, or soon will be
 */
export async function mintAndComplete(
  ctx: ProgramContext,
  given: { id: number; actorId: number; isAcknowledged: boolean },
): Promise<void> {
  const { id, actorId, isAcknowledged } = given;
  for (const reissue of await listOfExchange(ctx.db, id)) {
    if (reissue.state === 'minted') continue;
    const answer =
      reissue.state === 'restoring' ? null : await mint(ctx, reissue, { turnsBack: !isAcknowledged });
    const verdict = judgeMint(answer, isAcknowledged);
    if (verdict === 'go on') continue;
    if (verdict === 'wait')
      throw new AppError('code_on_its_way', t`The new codes for this exchange are on their way.`);
    await restoreExchange(ctx, id);
    throw await noNewCode(ctx, id, reissue.couponId, verdict);
  }
  try {
    await completeMinted(ctx, id, actorId);
  } catch (error) {
    // Of a transaction that did happen nothing is left to turn back.
    if (error instanceof AppError) await restoreExchange(ctx, id);
    throw error;
  }
}

async function noNewCode(
  ctx: ProgramContext,
  id: number,
  couponId: number,
  answer: 'refused' | 'unreached',
): Promise<AppError> {
  const exchange = await store.findExchange(ctx.db, id);
  const title = quote(exchange?.legs.find(({ coupon }) => coupon.id === couponId)?.coupon.title ?? '');
  return answer === 'refused'
    ? new AppError(
        'code_unchecked',
        t`The merchant makes no new code for ${title}. Nothing has changed hands. Press again to exchange with the old code, which its owner has seen.`,
      )
    : new AppError(
        'conflict',
        t`The merchant of ${title} did not answer when we asked for a new code. Nothing has changed hands. Please try again in a few minutes.`,
      );
}

async function completeMinted(ctx: ProgramContext, id: number, actorId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const coupons = await store.lockTradedCoupons(trx, id, actorId);
    const exchange = await store.findLocked(trx, id);
    if (!exchange) throw new Error(`Exchange ${id} is gone`);
    const codes = await lockOfExchange(trx, id);
    const at = ctx.clock();
    const decision = decide({ exchange, coupons, at }, { kind: 'minted', codes });
    await applyChanges(trx, ctx, { exchange, actorId, at }, changesOf(decision));
  });
}

const DUE_AT_ONCE = 50;

/**
 * Goes on with new codes that nobody else does: of coupons that have moved, and what a crash or a programme without an
 * answer has left. An exchange is completed if it still can be, else its old codes are restored.
 * @returns how many it has gone on with
 */
export async function continueReissues(ctx: ProgramContext): Promise<number> {
  const now = ctx.clock();
  const until = addMinutes(now, TAKEN_MINUTES);
  const due = await takeDue(ctx.db, { now, until, limit: DUE_AT_ONCE });
  const attempt = async (about: object, act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      ctx.log.error({ err: error, ...about }, 'a new code could not be gone on with');
    }
  };
  const moved = due.filter(({ timing }) => timing === 'after');
  for (const reissue of moved) await attempt({ reissueId: reissue.id }, () => continueMoved(ctx, reissue));
  const exchangeIds = new Set(
    due.flatMap(({ timing, exchangeId }) => (timing === 'before' ? exchangeId : null) ?? []),
  );
  for (const exchangeId of exchangeIds) {
    const of = due.filter((reissue) => reissue.exchangeId === exchangeId && reissue.timing === 'before');
    await attempt({ exchangeId }, () => continueExchange(ctx, exchangeId, of));
  }
  return due.length;
}

async function continueExchange(ctx: ProgramContext, id: number, due: readonly Reissue[]): Promise<void> {
  const exchange = await store.findExchange(ctx.db, id);
  const actorId = completerOf(exchange?.status, due);
  if (actorId !== null) {
    try {
      await mintAndComplete(ctx, { id, actorId, isAcknowledged: false });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      ctx.log.warn(
        { exchangeId: id, reason: error.code },
        'an exchange could not be completed with new codes',
      );
    }
    return;
  }
  for (const reissue of due) if (reissue.state === 'restoring') await restore(ctx, reissue);
  await restoreExchange(ctx, id);
}
