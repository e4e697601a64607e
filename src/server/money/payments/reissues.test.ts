import { beforeEach, describe, expect, it } from 'vitest';
import { continueReissues } from '#server/deals/exchanges/reissuing.ts';
import { openValidators } from '#server/providers/validators/open-validators.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { codeOf } from '#tests/support/coupons.ts';
import { acceptedSwap } from '#tests/support/leg-prices.ts';
import { couponOf, paymentOf, setUpMarket } from '#tests/support/payments.ts';
import { answerClaim } from '../claims/claims.ts';
import { decideClaim, openClaim } from '../claims/sale-claims.ts';

/** New codes where money moves the coupons: each follows within seconds, and a refund brings another one. */

const valid = new Set<string>();
/** Whether the programme makes new codes. */
let makesCodes = true;
const market = setUpMarket({
  providers: {
    validators: {
      ...openValidators({ adapters: [] }),
      canReissue: () => true,
      async reissue({ code, newCode }) {
        if (!makesCodes) return { kind: 'refused' };
        valid.delete(code);
        valid.add(newCode);
        return { kind: 'reissued', code: newCode };
      },
    },
  },
});
beforeEach(() => {
  valid.clear();
  makesCodes = true;
});

const markOf = (id: number) =>
  market.ctx.db
    .selectFrom('coupons')
    .select(['ownerId', 'reissuedAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

describe('a paid sale', () => {
  it.each(['stripe', 'paypal'] as const)('by %s brings a new code, and its refund another', async (by) => {
    const bid = await market.paidBid({ by });
    const { id } = bid.coupon;
    await continueReissues(market.ctx);
    const bought = await codeOf(market.ctx, bid.buyer, id);
    expect([...valid]).toEqual([bought]);
    expect(await markOf(id)).toEqual({ ownerId: bid.buyer.id, reissuedAt: market.ctx.clock() });

    await openClaim(actingAs(market.ctx, bid.buyer), { bidId: bid.id, reason: 'The till does not take it.' });
    const moderator = await createUser(market.ctx, { role: 'moderator' });
    const claim = await market.ctx.db
      .selectFrom('claims')
      .select('id')
      .where('bidId', '=', bid.id)
      .executeTakeFirstOrThrow();
    await answerClaim(actingAs(market.ctx, bid.seller), { id: claim.id, answer: 'It worked for me.' });
    await decideClaim(actingAs(market.ctx, moderator), {
      id: claim.id,
      decision: 'refund',
      note: 'It is so.',
    });
    await market.deliverAll();
    await market.passDays(0.1);
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id });
    await continueReissues(market.ctx);
    const returned = await codeOf(market.ctx, bid.seller, id);
    expect([...valid]).toEqual([returned]);
    expect(returned).not.toBe(bought);
    expect(await market.broken()).toEqual([]);
  });
});

it('whoever has paid is told if the programme makes no new code, once; a seller who gets it back is not', async () => {
  makesCodes = false;
  const bid = await market.paidBid();
  for (let times = 0; times < 2; times += 1) await continueReissues(market.ctx);
  const text = `The merchant made no new code for “${bid.coupon.title}”: it keeps the one that its owner before you knows. Try it now. If it does not work, make a claim within 72 hours of your payment.`;
  expect((await market.textsFor(bid.buyer)).filter((one) => one === text)).toHaveLength(1);
  const { stripePaymentIntentId } = await paymentOf(market.ctx, bid);
  await market.stripe.refund(stripePaymentIntentId ?? '');
  await market.deliverAll();
  await continueReissues(market.ctx);
  expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id });
  expect(await market.textsFor(bid.seller)).not.toContain(text);
});

it('a swap with money brings both new codes after the payment', async () => {
  const { coupons, people, bid } = await acceptedSwap(market);
  await market.payByCard(bid);
  await continueReissues(market.ctx);
  const [one, other] = people;
  if (!one || !other) throw new Error('A swap has two people');
  const [given = { id: 0 }, got = { id: 0 }] = coupons;
  const codes = [await codeOf(market.ctx, other, given.id), await codeOf(market.ctx, one, got.id)];
  expect([...valid].sort()).toEqual([...codes].sort());
  const marks = await Promise.all(coupons.map(({ id }) => markOf(id)));
  expect(marks.map(({ reissuedAt }) => reissuedAt)).toEqual([market.ctx.clock(), market.ctx.clock()]);
  expect(await market.broken()).toEqual([]);
});
