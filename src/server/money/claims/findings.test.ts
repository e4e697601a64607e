import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { addHours } from '#server/core/clock.ts';
import { revealCode } from '#server/coupons/codes/reveals.ts';
import { codeContext } from '#server/coupons/core/view.ts';
import { inTransaction } from '#server/database/client.ts';
import type { Redemptions } from '#server/providers/validators/adapter.ts';
import { openValidators } from '#server/providers/validators/open-validators.ts';
import { actingAs } from '#tests/support/builders.ts';
import { setUpStaff } from '#tests/support/claims.ts';
import { type AcceptedBid, couponOf, setUpMarket, totalsOfBid } from '#tests/support/payments.ts';
import { answerClaim } from './claims.ts';
import { appealClaim } from './deadlines.ts';
import { countRecord } from './deadlines-store.ts';
import { findRedemptions } from './findings.ts';
import { decideClaim, openClaim } from './sale-claims.ts';

/** A programme that tells how each code was used. */
let uses: Redemptions | 'unreached';
let isValid: boolean;
/** Nobody sells a code that its programme refuses. */
let isSold: boolean;
/** Runs while the programme is asked. */
let meanwhile: () => Promise<void>;
const without = openValidators({ adapters: [] });
const market = setUpMarket({
  providers: {
    validators: {
      ...without,
      hasOwn: async () => true,
      check: async (question) => ({
        ...(await without.check(question)),
        valid: isValid || !isSold,
        confirmed: true,
      }),
      tellsRedemptions: () => true,
      async redemptionsOf() {
        await meanwhile();
        return uses;
      },
    },
  },
});
const staff = setUpStaff(market);
beforeEach(() => {
  uses = { count: 0, told: [] };
  isValid = false;
  isSold = false;
  meanwhile = () => Promise.resolve();
});

const as = (actor: Actor) => actingAs(market.ctx, actor);
const hoursFromNow = (hours: number) => addHours(market.ctx.clock(), hours);
const usedAt = (at: Date, place: string | null = null): Redemptions => ({ count: 1, told: [{ at, place }] });

/** A sale whose buyer looks at the code after an hour, and claims two days after that. */
async function claimed(given: { looks?: boolean } = {}): Promise<AcceptedBid> {
  const bid = await market.paidBid({ by: 'stripe' });
  isSold = true;
  market.ctx.clock.advanceDays(1 / 24);
  if (given.looks ?? true) await revealCode(as(bid.buyer), bid.coupon.id);
  await market.passDays(2);
  await openClaim(as(bid.buyer), { bidId: bid.id, reason: 'The till does not take it.' });
  return bid;
}

const toldOf = async (who: Actor, { coupon }: AcceptedBid, words: string) =>
  (await market.textsFor(who)).filter((text) => text.includes(`“${coupon.title}”`) && text.includes(words));

describe('what the programme tells decides a claim', () => {
  it('for the buyer where the code was used before the coupon came to them, unless the seller asks a moderator', async () => {
    const bid = await claimed();
    uses = usedAt(hoursFromNow(-72), 'Main Street');
    await market.passDays(0);
    expect(await staff.claimOf(bid)).toMatchObject({
      finding: { kind: 'redeemed_before', redeemedAt: hoursFromNow(-72).toISOString(), place: 'Main Street' },
      announcedEnd: { at: hoursFromNow(24).toISOString(), isGranted: true, isByFinding: true },
      answerBy: hoursFromNow(24).toISOString(),
    });
    expect(await toldOf(bid.buyer, bid, '(Main Street). The coupon changed hands after that')).toHaveLength(
      1,
    );
    expect(await toldOf(bid.seller, bid, 'ask a moderator to look at it until then')).toHaveLength(1);
    await market.passDays(0.9);
    expect(await market.statusOf(bid)).toBe('held');
    await market.passDays(0.2);
    expect(await market.statusOf(bid)).toBe('refunded');
    expect(await totalsOfBid(market.ctx, bid)).toMatchObject({ refunded: 1_050, transferred: 0 });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id });
    const note = 'What the merchant says about the code has decided this claim.';
    expect(await toldOf(bid.seller, bid, note)).toHaveLength(1);
  });

  it.each([
    ['used after they had seen it', () => usedAt(hoursFromNow(-3)), false, 'redeemed_after'],
    ['never used, and valid', () => uses, true, 'works'],
  ])('for the seller where the code was %s', async (_, told, accepted, kind) => {
    const bid = await claimed();
    uses = told();
    isValid = accepted;
    await market.passDays(0);
    expect(await staff.claimOf(bid)).toMatchObject({ finding: { kind }, announcedEnd: { isGranted: false } });
    await market.passDays(1);
    expect(await market.statusOf(bid)).toBe('completed');
  });

  it('only once a moderator was asked by whoever would lose: then nobody but a person decides, or the day-seven rule', async () => {
    const bid = await claimed();
    uses = usedAt(hoursFromNow(-3));
    await market.passDays(0);
    const id = await staff.claimIdOf(bid);
    await expect(appealClaim(as(bid.seller), id)).rejects.toMatchObject({ code: 'forbidden' });
    const twice = await Promise.allSettled([appealClaim(as(bid.buyer), id), appealClaim(as(bid.buyer), id)]);
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await toldOf(staff.moderator, bid, 'Please decide the claim.')).toHaveLength(1);
    await market.passDays(2);
    expect(await staff.claimOf(bid)).toMatchObject({
      announcedEnd: null,
      finding: { kind: 'redeemed_after' },
    });
    await market.passDays(3.1);
    // The finding wins over the records: the seller has not answered.
    expect(await staff.claimOf(bid)).toMatchObject({
      announcedEnd: { isGranted: false, isByFinding: false },
    });
    await market.passDays(2);
    expect(await market.statusOf(bid)).toBe('completed');
    // Nor is it one of the ends without any evidence, of which a person has one in 90 days.
    const at = market.ctx.clock();
    const record = await inTransaction(market.ctx.db, (trx) => countRecord(trx, bid.seller.id, at));
    expect(record).toMatchObject({ defaults: 0 });
  });

  it('and a moderator can be first', async () => {
    const bid = await claimed();
    uses = usedAt(hoursFromNow(-3));
    await market.passDays(0);
    const id = await staff.claimIdOf(bid);
    await answerClaim(as(bid.seller), { id, answer: 'It worked for me.' });
    await decideClaim(as(staff.moderator), { id, decision: 'refund', note: 'The till shows another code.' });
    await market.passDays(1.1);
    expect(await market.statusOf(bid)).toBe('refunded');
  });
});

describe('nothing is decided', () => {
  it.each([
    ['by a use about which nobody can tell', () => usedAt(hoursFromNow(-48.5)), 'unclear'],
    ['by a code that is refused and was never used', () => uses, 'refused'],
  ])('%s, but it is shown', async (_, told, kind) => {
    const bid = await claimed();
    uses = told();
    await market.passDays(0);
    expect(await staff.claimOf(bid)).toMatchObject({ finding: { kind }, announcedEnd: null });
  });

  it('by a programme that does not answer: it is asked again after twelve hours', async () => {
    const bid = await claimed();
    uses = 'unreached';
    await market.passDays(0);
    uses = usedAt(hoursFromNow(-3));
    await market.passDays(0.4);
    expect(await staff.claimOf(bid)).toMatchObject({ finding: null });
    await market.passDays(0.2);
    expect(await staff.claimOf(bid)).toMatchObject({ finding: { kind: 'redeemed_after' } });
  });

  it('about a code that its buyer has put in the place of the one that came, nor while they do', async () => {
    const bid = await claimed();
    uses = usedAt(hoursFromNow(-72));
    meanwhile = async () => {
      const sealed = market.ctx.vault.seal('OTHER-4711', codeContext(bid.coupon.id));
      const row = market.ctx.db.updateTable('couponSecrets').where('couponId', '=', bid.coupon.id);
      await row.set({ code: sealed }).execute();
    };
    expect(await findRedemptions(market.ctx)).toBe(0);
    meanwhile = () => Promise.resolve();
    await market.passDays(0.6);
    expect(await staff.claimOf(bid)).toMatchObject({ finding: null, announcedEnd: null });
  });

  it('by a place that shows the code to moderators, who have not seen it', async () => {
    const bid = await claimed();
    const { code } = await revealCode(as(bid.buyer), bid.coupon.id);
    uses = usedAt(hoursFromNow(-72), `Till 4, ${code}`);
    await market.passDays(0);
    expect(await staff.claimOf(bid)).toMatchObject({ finding: { kind: 'redeemed_before', place: null } });
  });

  it('twice by two processes', async () => {
    const bid = await claimed();
    uses = usedAt(hoursFromNow(-72));
    const found = await Promise.all([findRedemptions(market.ctx), findRedemptions(market.ctx)]);
    expect(found.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await toldOf(bid.buyer, bid, 'The merchant has answered')).toHaveLength(1);
  });
});
