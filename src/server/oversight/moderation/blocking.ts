import { t } from '@lingui/core/macro';
import type { BlockInput } from '#contract/people/blocks.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import { countChange } from '#server/core/own-changes.ts';
import { inTransaction } from '#server/database/client.ts';
import { setBidStatus } from '#server/deals/bids/service.ts';
import { setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { addBlock, holdDealsWith } from '#server/people/blocks/service.ts';
import { listPendingDeals } from './store.ts';

/** A deal can begin between the answer to the last one and the block. */
const TRIES = 5;

/**
 * Blocks a person: no new deal and no message between the two from now on, and the caller no longer sees the person's
 * coupons in lists. Pending deals between them are declined or withdrawn as if the caller had done so, so that nothing
 * tells of the block; accepted ones go on. May be repeated.
 * @throws AppError forbidden (oneself), not_found, conflict (too many are blocked), rate_limited
 */
export async function blockPerson(ctx: MemberContext, { userId }: BlockInput): Promise<void> {
  if (userId === ctx.actor.id) throw new AppError('forbidden', t`You cannot block yourself`);
  await countChange(ctx);
  for (let tries = 0; tries < TRIES; tries += 1) {
    await endPendingDeals(ctx, userId);
    const isBlocked = await inTransaction(ctx.db, async (trx) => {
      await holdDealsWith(trx, ctx, userId);
      if ((await listPendingDeals(trx, ctx.actor.id, userId)).length > 0) return false;
      await addBlock(trx, ctx, userId);
      return true;
    });
    if (isBlocked) return;
  }
  throw new AppError('conflict', t`A deal between you has just started. Please try again.`);
}

async function endPendingDeals(ctx: MemberContext, userId: number): Promise<void> {
  for (const { kind, id, initiatorId } of await listPendingDeals(ctx.db, ctx.actor.id, userId)) {
    const status = initiatorId === ctx.actor.id ? 'cancelled' : 'rejected';
    try {
      if (kind === 'exchange') await setExchangeStatus(ctx, { id, status }, 'pending');
      else await setBidStatus(ctx, { id, status });
    } catch (error) {
      // It has ended, or was accepted and goes on.
      if (!(error instanceof AppError && error.code === 'deal_changed')) throw error;
    }
  }
}
