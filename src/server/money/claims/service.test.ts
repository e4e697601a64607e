import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { inTransaction } from '#server/database/client.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { finalSale, insertLegClaim, setUpStaff } from '#tests/support/claims.ts';
import { paymentOf, setUpMarket } from '#tests/support/payments.ts';
import { completeExchange } from '#tests/support/ratings.ts';
import { openClaim } from './sale-claims.ts';
import * as service from './service.ts';

/** What other rooms ask of claims; the files of each part have their own tests. */

const market = setUpMarket();
const staff = setUpStaff(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);
const under = (who: Actor) => inTransaction(market.ctx.db, (trx) => service.moneyUnderWay(trx, who.id));
const obligations = (who: Actor) =>
  inTransaction(market.ctx.db, (trx) => service.obligationsOf(trx, who.id, market.ctx.clock()));

describe('a sale', () => {
  it('keeps both from leaving while its money is under way, and a claim does, too', async () => {
    const bid = await market.acceptedBid();
    expect(await under(bid.buyer)).toBeNull();
    await market.payByCard(bid);
    for (const party of [bid.buyer, bid.seller]) expect(await under(party)).toBe('payment');
    await openClaim(as(bid.buyer), { bidId: bid.id, reason: 'The till does not take it.' });
    for (const party of [bid.buyer, bid.seller]) expect(await under(party)).toBe('claim');
    const id = await staff.claimIdOf(bid);
    expect(await service.findClaimToDecide(as(staff.moderator), id)).toMatchObject({ id, bidId: bid.id });
    const forbidden = { code: 'forbidden' };
    for (const party of [bid.buyer, bid.seller])
      await expect(service.findClaimToDecide(as(party), id)).rejects.toMatchObject(forbidden);
    await expect(service.findClaimToDecide(as(staff.moderator), 0)).rejects.toMatchObject({
      code: 'not_found',
    });
    await staff.decide(bid, 'release');
    for (const party of [bid.buyer, bid.seller]) expect(await under(party)).toBeNull();
  });

  it('keeps both from leaving while a bank disputes what was paid out, until it has decided', async () => {
    const bid = await finalSale(market);
    for (const party of [bid.buyer, bid.seller]) expect(await under(party)).toBeNull();
    const dispute = await market.stripe.openDispute(
      (await paymentOf(market.ctx, bid)).stripePaymentIntentId ?? '',
    );
    await market.deliverAll();
    expect(await paymentOf(market.ctx, bid)).toMatchObject({ status: 'completed', isDisputed: true });
    for (const party of [bid.buyer, bid.seller]) expect(await under(party)).toBe('payment');
    await market.stripe.closeDispute(dispute, 'won');
    await market.deliverAll();
    for (const party of [bid.buyer, bid.seller]) expect(await under(party)).toBeNull();
  });

  it('has a claim that is brought to mind once, announced once, and ends', async () => {
    const bid = await market.paidBid({ by: 'paypal' });
    await openClaim(as(bid.buyer), { bidId: bid.id, reason: 'The till does not take it.' });
    for (const days of [3, 2, 2]) {
      expect(await service.keepClaimDeadlines(market.ctx)).toBe(0);
      market.ctx.clock.advanceDays(days);
      expect(await service.keepClaimDeadlines(market.ctx)).toBe(1);
    }
    expect(await paymentOf(market.ctx, bid)).toMatchObject({ status: 'refunding' });
    expect(await staff.claimOf(bid)).toBeUndefined();
  });

  it('shows its protection to both, and to nobody else', async () => {
    const bid = await market.paidBid();
    const plain = { id: bid.id } as Parameters<typeof service.withProtection>[1][number];
    const held = { id: bid.id, protection: expect.objectContaining({ status: 'held' }) };
    expect(await service.withProtection(as(bid.buyer), [plain])).toEqual([held]);
    expect(await service.bidWithProtection(as(bid.seller), Promise.resolve(plain))).toEqual(held);
    const page = { items: [plain], page: 1, limit: 10, total: 1 } as never;
    expect(await service.bidsWithProtection(as(bid.seller), Promise.resolve(page))).toMatchObject({
      items: [held],
      total: 1,
    });
    const stranger = as(await createUser(market.ctx));
    await expect(service.withProtection(stranger, [plain])).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an exchange', () => {
  it('keeps both from leaving while one can claim, or has', async () => {
    const [one, other] = [await createUser(market.ctx), await createUser(market.ctx)];
    expect(await obligations(one)).toEqual({ isOpen: false, claimableUntil: null });
    await completeExchange(market.ctx, one, other);
    const claimableUntil = addDays(market.ctx.clock(), 3);
    for (const party of [one, other])
      expect(await obligations(party)).toEqual({ isOpen: false, claimableUntil });
    market.ctx.clock.advanceDays(3);
    expect(await obligations(one)).toEqual({ isOpen: false, claimableUntil: null });
    await insertLegClaim(market.ctx, one, other);
    for (const party of [one, other]) expect(await obligations(party)).toMatchObject({ isOpen: true });
  });
});
