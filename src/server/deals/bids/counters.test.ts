import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_FEE_RATES, feesOf } from '#contract/money/fees.ts';
import { expireDeals } from '#server/deals/lifecycle/expiry.ts';
import { bidOn, counter, createBid, moveBid } from '#tests/support/bids.ts';
import { actingAs, createTestContext, createUser } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { historyOf, noticesOf } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { bidById, findPayableBid, listBids, setBidStatus } from './service.ts';

const database = setUpDatabase();
afterAll(async () => expect(await checkInvariants(database.db)).toEqual([]));

const open = () => createTestContext(database);

/** A bid of 12.50 that the owner has countered with 20. */
async function countered() {
  const ctx = open();
  const bid = await createBid(ctx);
  await counter(ctx, bid.owner, bid.id, '20');
  const accept = (who: typeof bid.owner, expectedAmount?: string) =>
    setBidStatus(actingAs(ctx, who), { id: bid.id, status: 'accepted', expectedAmount });
  return { ctx, ...bid, accept };
}

describe('a counter-offer', () => {
  it('asks another amount for 48 hours, without being a bid, and tells the difference [decisions 3.13.6]', async () => {
    const { ctx, id, bidder, owner, coupon } = await countered();
    const seen = await bidById(actingAs(ctx, bidder), id);
    expect(seen).toMatchObject({
      status: 'pending',
      amount: '12.50',
      counterAmount: '20.00',
      round: 2,
      deadlineAt: '2035-06-17T12:00:00.000Z',
      counters: [
        { round: 2, by: 'owner', from: '12.50', to: '20.00', createdAt: '2035-06-15T12:00:00.000Z' },
      ],
    });
    const difference = '$12.50 CAD → $20.00 CAD';
    expect((await noticesOf(ctx, bidder)).at(-1)?.content).toBe(
      `${owner.username} answered your bid on “${coupon.title}” with a counter-offer: ${difference}. Please answer within 48 hours.`,
    );
    expect((await historyOf(ctx, owner)).at(-1)?.details).toContain(difference);

    const rival = await createUser(ctx);
    const higher = await bidOn(ctx, rival, coupon, '15');
    const list = { role: 'owner', onlyOpen: true, page: 1, limit: 10 } as const;
    const { items } = await listBids(actingAs(ctx, owner), list);
    expect(items.map((bid) => [bid.id, bid.isHighest])).toEqual([
      [higher.id, true],
      [id, false],
    ]);
  });

  it('is accepted by the bidder alone, as a bid of that amount with its fees [decisions 3.13.7]', async () => {
    const { ctx, id, bidder, owner, coupon, accept } = await countered();
    const rival = await bidOn(ctx, await createUser(ctx), coupon, '15');
    await expect(accept(owner, '20.00')).rejects.toMatchObject({ code: 'deal_changed' });
    await expect(accept(bidder)).rejects.toMatchObject({ code: 'bad_input' });
    await expect(accept(bidder, '12.50')).rejects.toThrow('It is now $20.00 CAD.');
    expect(await accept(bidder, '20.00')).toMatchObject({ status: 'accepted', amount: '20.00' });
    expect(await findPayableBid(ctx.db, id)).toMatchObject({ amount: 2_000, feeRates: DEFAULT_FEE_RATES });
    expect(feesOf(2_000, DEFAULT_FEE_RATES).buyerTotal).toBe(2_100);
    expect(await bidById(actingAs(ctx, owner), rival.id).catch(() => null)).toMatchObject({
      reason: 'rival_accepted',
    });
    expect((await noticesOf(ctx, owner)).map(({ content }) => content)).toContain(
      `${bidder.username} accepted your counter-offer of $20.00 CAD on your “${coupon.title}”.`,
    );
  });

  it('answers no bid that is accepted or of other people', async () => {
    const ctx = open();
    const { id, owner } = await createBid(ctx);
    const stranger = await createUser(ctx);
    await expect(counter(ctx, stranger, id, '20')).rejects.toMatchObject({ code: 'not_found' });
    await expect(moveBid(ctx, stranger, id, 'rejected')).rejects.toMatchObject({ code: 'not_found' });
    await moveBid(ctx, owner, id, 'accepted');
    await expect(counter(ctx, owner, id, '20')).rejects.toThrow('This bid is already accepted.');
  });

  it('goes back and forth in turns, towards each other, for five rounds [decisions 3.13.6]', async () => {
    const { ctx, id, bidder, owner, accept } = await countered();
    await expect(counter(ctx, owner, id, '19')).rejects.toMatchObject({ code: 'deal_changed' });
    await expect(counter(ctx, bidder, id, '20')).rejects.toThrow('Must be less than $20.00 CAD');
    expect(await counter(ctx, bidder, id, '14')).toMatchObject({
      amount: '14.00',
      counterAmount: null,
      round: 3,
    });
    await expect(counter(ctx, owner, id, '14')).rejects.toThrow('Must be more than $14.00 CAD');
    // Who has not seen this round accepts nothing.
    await expect(accept(owner, '12.50')).rejects.toThrow('It is now $14.00 CAD.');
    await counter(ctx, owner, id, '18');
    const last = await counter(ctx, bidder, id, '16');
    expect(last.counters.map(({ by, from, to }) => `${by} ${from} ${to}`)).toEqual([
      'owner 12.50 20.00',
      'bidder 20.00 14.00',
      'owner 14.00 18.00',
      'bidder 18.00 16.00',
    ]);
    await expect(counter(ctx, owner, id, '17')).rejects.toMatchObject({ code: 'conflict' });
    expect(await accept(owner, '16.00')).toMatchObject({ status: 'accepted', amount: '16.00' });
  });

  it('is declined by the bidder, or taken back by the owner [decisions 3.13.8]', async () => {
    const one = await countered();
    expect(await moveBid(one.ctx, one.bidder, one.id, 'cancelled')).toMatchObject({ reason: 'by_bidder' });
    expect((await noticesOf(one.ctx, one.owner)).at(-1)?.content).toContain('declined your counter-offer');
    const two = await countered();
    expect(await moveBid(two.ctx, two.owner, two.id, 'rejected')).toMatchObject({ reason: 'by_owner' });
  });

  it('is kept by the database: no round is skipped, no amount changed out of turn', async () => {
    const { ctx, id } = await countered();
    const set = (values: Record<string, unknown>) =>
      ctx.db.updateTable('bids').set(values).where('id', '=', id).execute();
    await expect(set({ round: 4 })).rejects.toThrow('cannot go from 2 to 4');
    await expect(set({ amount: '19.00' })).rejects.toThrow('is for its bidder to change');
    await expect(set({ counterAmount: '30.00' })).rejects.toThrow('without a round');
    const accepted = { status: 'accepted', acceptedAt: ctx.clock() };
    await expect(set(accepted)).rejects.toThrow('bids_accepted_counter');
  });

  it('ends the bid after exactly 48 hours, and each round has as long', async () => {
    const { ctx, id, bidder, owner } = await countered();
    const lapse = () => expireDeals(actingAs(ctx, owner));
    ctx.clock.advanceDays(1.5);
    await counter(ctx, bidder, id, '14');
    ctx.clock.advanceDays(1.999);
    await lapse();
    expect(await bidById(actingAs(ctx, owner), id)).toMatchObject({ status: 'pending' });
    ctx.clock.advanceDays(0.001);
    await lapse();
    expect(await bidById(actingAs(ctx, owner), id)).toMatchObject({
      status: 'cancelled',
      reason: 'deadline',
    });
    expect((await noticesOf(ctx, bidder)).at(-1)?.content).toContain('it was not answered within 48 hours');
  });
});
