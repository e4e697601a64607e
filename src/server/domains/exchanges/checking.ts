import { listed, quote } from '#contract/words.ts';
import { AppError } from '#server/core/errors.ts';
import { inTransaction } from '#server/database/client.ts';
import type { MemberContext } from '../context.ts';
import { type AskedCode, askAgain, checkUnchanged } from '../coupons/rechecking.ts';
import { endRefusedDeal } from '../deals/endings.ts';
import { couponIdsOf, lockOwn } from './acts.ts';
import * as store from './store.ts';

/**
 * Asks about the codes of an exchange of the caller's that they are about to complete (decisions 3.17). A "no" cancels it,
 * takes the coupon off the lists and tells everybody whose code it is.
 * @returns nothing for an exchange that cannot be completed: the completion says why
 * @throws AppError code_refused, code_unchecked (unless acknowledged), rate_limited
 */
export async function checkCodes(
  ctx: MemberContext,
  id: number,
  acknowledged: boolean,
): Promise<AskedCode[]> {
  const exchange = await store.findExchange(ctx.db, id);
  const isOwn = exchange?.parties.some((party) => party.id === ctx.actor.id);
  if (!exchange || !isOwn || exchange.status !== 'accepted') return [];
  const asked = await askAgain(ctx, couponIdsOf(exchange), acknowledged);
  const refused = asked.filter(({ answer }) => answer === 'refused');
  if (refused.length === 0) return asked;
  await inTransaction(ctx.db, async (trx) => {
    await lockOwn(trx, id, ctx.actor.id);
    await checkUnchanged(trx, ctx, refused);
    const couponIds = refused.map(({ couponId }) => couponId);
    await endRefusedDeal(trx, { deal: { exchangeId: id }, couponIds, at: ctx.clock() });
  });
  const whose = refused.map(({ couponId, title }) => {
    const giverId = exchange.legs.find(({ coupon }) => coupon.id === couponId)?.giverId;
    const giver = exchange.parties.find((party) => party.id === giverId)?.username;
    return giverId === ctx.actor.id ? `your ${quote(title)}` : `${giver}’s ${quote(title)}`;
  });
  throw new AppError(
    'code_refused',
    `The merchant says that the code of ${listed(whose)} does not work. So this exchange was cancelled, and no code was shown.`,
  );
}
