import { expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { placeBid, setBidStatus } from '#server/deals/bids/service.ts';
import { actingAs, createCoupon, createUser } from '#tests/support/builders.ts';
import { insertLegClaim, setUpStaff } from '#tests/support/claims.ts';
import { type AcceptedBid, setUpMarket } from '#tests/support/payments.ts';
import { listClaims } from './claims.ts';
import { openClaim } from './sale-claims.ts';
import { listStoppedSellers, resumeSales } from './sale-stop.ts';

const market = setUpMarket();
const staff = setUpStaff(market);
const as = (actor: Actor) => actingAs(market.ctx, actor);

/** Somebody new buys from a seller, and claims. */
async function claimed(seller: Actor, buyer?: Actor): Promise<AcceptedBid> {
  const bid = await market.paidBid({ by: 'stripe', seller, ...(buyer && { buyer }) });
  await openClaim(as(bid.buyer), { bidId: bid.id, reason: 'The till does not take it.' });
  return bid;
}

async function bidOn(seller: Actor) {
  const { id: couponId } = await createCoupon(market.ctx, seller);
  const bidder = await createUser(market.ctx);
  return placeBid(as(bidder), { couponId, amount: '10.00', message: null, acknowledgeNoCode: true });
}

const stopped = async (judge = staff.moderator) => (await listStoppedSellers(as(judge))).map(({ id }) => id);

const REFUSED = { code: 'coupon_unavailable' };

it('two granted claims in a week stop somebody’s sales until a moderator has looked', async () => {
  const seller = await market.readySeller();
  const waiting = await bidOn(seller);
  for (let claim = 0; claim < 2; claim += 1) await staff.decide(await claimed(seller));
  expect(await stopped()).toContain(seller.id);
  const { items } = await listClaims(as(staff.moderator), { onlyOpen: false, page: 1, limit: 1 });
  expect(items[0]).toMatchObject({
    giver: { grantedAgainst: 2, granted: 0, declined: 0 },
    claimant: { grantedAgainst: 0, granted: 1, declined: 0 },
    isSameNetwork: false,
    confirmedAt: null,
  });
  await expect(bidOn(seller)).rejects.toMatchObject(REFUSED);
  const accept = () => setBidStatus(as(seller), { id: waiting.id, status: 'accepted' });
  await expect(accept()).rejects.toMatchObject(REFUSED);
  await expect(resumeSales(as({ ...seller, role: 'moderator' }), seller.id)).rejects.toMatchObject({
    code: 'not_found',
  });

  await resumeSales(as(staff.moderator), seller.id);
  expect(await market.textsFor(seller)).toEqual(
    expect.arrayContaining([expect.stringContaining('You can sell again.')]),
  );
  await accept();
  // What a moderator has looked at stops nothing any more.
  await staff.decide(await claimed(seller));
  expect(await stopped()).not.toContain(seller.id);
});

it('granted claims that are further apart than a week stop nothing', async () => {
  const seller = await market.readySeller();
  await staff.decide(await claimed(seller));
  await market.passDays(8);
  await staff.decide(await claimed(seller));
  expect(await stopped()).not.toContain(seller.id);
});

it('three open claims of independent people stop sales, of a sale as of a swap; those of one person count once', async () => {
  const seller = await market.readySeller();
  const [one, other] = [await createUser(market.ctx), await createUser(market.ctx)];
  const [lowerId = 0, higherId = 0] = [one.id, other.id].sort((a, b) => a - b);
  await market.ctx.db.insertInto('uncountedPairs').values({ lowerId, higherId }).execute();
  await claimed(seller, one);
  await claimed(seller, other);
  await claimed(seller);
  expect(await stopped()).not.toContain(seller.id);
  await insertLegClaim(market.ctx, await createUser(market.ctx), seller);
  expect(await stopped()).toContain(seller.id);
});

it('claims that are made at once count each other', async () => {
  for (let round = 0; round < 3; round += 1) {
    const seller = await market.readySeller();
    const bids = [];
    for (let sale = 0; sale < 3; sale += 1) bids.push(await market.paidBid({ by: 'stripe', seller }));
    const reason = 'The till does not take it.';
    await Promise.all(bids.map((bid) => openClaim(as(bid.buyer), { bidId: bid.id, reason })));
    expect(await stopped()).toContain(seller.id);
  }
});

it('a moderator who has claimed against the seller does not judge', async () => {
  const seller = await market.readySeller();
  const judge = await createUser(market.ctx, { role: 'moderator' });
  for (const buyer of [judge, undefined, undefined]) await claimed(seller, buyer);
  expect(await stopped()).toContain(seller.id);
  expect(await stopped(judge)).not.toContain(seller.id);
  await expect(resumeSales(as(judge), seller.id)).rejects.toMatchObject({ code: 'not_found' });
});
