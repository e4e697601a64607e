import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { REASON_MAX } from '#contract/base/primitives.ts';
import { TITLE_MAX } from '#contract/coupons/limits.ts';
import { ANSWER_HOURS, CLAIM_HOURS, type LegClaim } from '#contract/money/claims.ts';
import { USERNAME_MAX } from '#contract/people/accounts.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { feedbackOn } from '#server/coupons/codes/code-feedback.ts';
import { revealCode } from '#server/coupons/codes/reveals.ts';
import { setAway } from '#server/deals/away/service.ts';
import { profileById } from '#server/oversight/profiles/service.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { createDeal, createRing, historyOf, move, noticesOf } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { answerClaim, listClaims } from './claims.ts';
import { claimsOfExchange, decideLegClaim, openLegClaim, withdrawLegClaim } from './leg-claims.ts';

const withdraw = (id: number, who = deal.requester) => withdrawLegClaim(actingAs(ctx, who), id);

const ctx = setUpContext();
const REASON = 'The till says that it was used in May.';
let moderator: Actor;
let deal: Awaited<ReturnType<typeof createDeal>>;

beforeAll(async () => {
  moderator = await createUser(ctx, { role: 'moderator' });
});
beforeEach(async () => {
  deal = await createDeal(ctx, 'accepted');
  await move(ctx, deal.requester, deal.id, 'completed');
});

/** The requester has got the requested coupon, which the owner gave. */
const open = (who = deal.requester, couponId = deal.requested.id, exchangeId = deal.id) =>
  openLegClaim(actingAs(ctx, who), { exchangeId, couponId, reason: REASON });
const legOf = (legs: readonly LegClaim[], couponId = deal.requested.id) =>
  legs.find((leg) => leg.couponId === couponId);
const seenBy = async (who: Actor) => legOf(await claimsOfExchange(actingAs(ctx, who), deal.id));
async function openId(): Promise<number> {
  const id = legOf(await open())?.claim?.id;
  if (id === undefined) throw new Error('There is no claim');
  return id;
}
const answer = (id: number, who = deal.owner) =>
  answerClaim(actingAs(ctx, who), { id, answer: 'It worked for me.' });
const decide = (id: number, decision: 'upheld' | 'refused', who = moderator) =>
  decideLegClaim(actingAs(ctx, who), { id, decision, note: 'The shop confirms it.' });
const pass = (hours: number) => ctx.clock.advanceDays(hours / 24);

const refused = (code: string) => ({ code });
const forbidden = refused('forbidden');
const notFound = refused('not_found');
const changed = refused('deal_changed');

describe('a claim that the code of a coupon from an exchange does not work', () => {
  it('asks the giver for their word; upheld, it counts on their profile and as an answer to “Does the code work?” [decisions 3.15.28]', async () => {
    expect(await seenBy(deal.requester)).toMatchObject({ mayClaim: true, claim: null });
    expect(await seenBy(deal.owner)).toMatchObject({ mayClaim: false, claim: null });
    const id = await openId();
    expect(await seenBy(deal.owner)).toMatchObject({
      mayClaim: false,
      claim: { id, status: 'open', reason: REASON, answer: null, answerBy: expect.any(String) },
    });
    await expect(decide(id, 'upheld')).rejects.toMatchObject(changed);
    await answer(id);
    await decide(id, 'upheld');
    expect(await seenBy(deal.requester)).toMatchObject({
      mayClaim: false,
      claim: { status: 'upheld', answer: 'It worked for me.', note: 'The shop confirms it.', answerBy: null },
    });
    expect(await profileById(ctx, deal.owner.id)).toMatchObject({ failedCodes: 1, successfulExchanges: 1 });
    expect(await profileById(ctx, deal.requester.id)).toMatchObject({ failedCodes: 0 });
    expect(await feedbackOn(ctx, deal.requested.id)).toMatchObject({ worked: 0, failed: 1 });
    expect((await noticesOf(ctx, deal.owner)).slice(-2).map(({ content }) => content)).toEqual([
      expect.stringContaining('does not work. Please tell us what you know about it'),
      expect.stringContaining(
        'was upheld: your profile says that a code did not work. The codes have been seen',
      ),
    ]);
    expect((await noticesOf(ctx, deal.requester)).slice(-2).map(({ subject }) => subject)).toEqual([
      'Your claim was answered',
      'A claim was decided',
    ]);
    expect((await historyOf(ctx, deal.requester)).at(-1)?.details).toContain('The shop confirms it.');
    expect(await checkInvariants(ctx.db)).toEqual([]);
  });

  it('is decided with the longest reason, which the notifications quote', async () => {
    const longest = { title: 'x'.repeat(TITLE_MAX) };
    await ctx.db.updateTable('coupons').set(longest).where('id', '=', deal.requested.id).execute();
    for (const [index, { id }] of [deal.requester, deal.owner].entries()) {
      const username = `${'y'.repeat(USERNAME_MAX - 1)}${index}`;
      await ctx.db.updateTable('users').set({ username }).where('id', '=', id).execute();
    }
    const id = await openId();
    await answer(id);
    const note = 'z'.repeat(REASON_MAX);
    await decideLegClaim(actingAs(ctx, moderator), { id, decision: 'upheld', note });
    expect((await noticesOf(ctx, deal.owner)).at(-1)?.content).toContain(note);
  });

  it('moves no coupon, and the giver cannot see the code that they gave [decisions 3.15.30]', async () => {
    const id = await openId();
    await answer(id);
    await decide(id, 'upheld');
    await expect(revealCode(actingAs(ctx, deal.owner), deal.requested.id)).rejects.toMatchObject(forbidden);
    expect((await revealCode(actingAs(ctx, deal.requester), deal.requested.id)).code).toBeTruthy();
  });

  it('is made by whoever got the coupon, once, within 72 hours of a completed exchange [decisions 3.15.29]', async () => {
    const stranger = await createUser(ctx);
    await expect(open(stranger)).rejects.toMatchObject(notFound);
    await expect(open(deal.owner)).rejects.toMatchObject(forbidden);
    await expect(open(deal.requester, 999_999)).rejects.toMatchObject(notFound);
    for (const status of ['pending', 'accepted', 'cancelled'] as const) {
      const early = await createDeal(ctx, status === 'pending' ? 'pending' : 'accepted');
      if (status === 'cancelled') await move(ctx, early.requester, early.id, 'cancelled');
      await expect(open(early.requester, early.requested.id, early.id)).rejects.toMatchObject(changed);
    }
    pass(CLAIM_HOURS - 1);
    await open();
    await expect(open()).rejects.toMatchObject(refused('conflict'));
    pass(1);
    await expect(open(deal.owner, deal.offered.id)).rejects.toMatchObject(changed);
  });

  it('waits for a giver who had said that they are away, and so does the time to claim [decisions 3.15.32]', async () => {
    const back = utcDay(addDays(ctx.clock(), 20));
    await setAway(actingAs(ctx, deal.requester), { until: back });
    pass(CLAIM_HOURS + 1);
    expect(await seenBy(deal.requester)).toMatchObject({ mayClaim: true });
    await setAway(actingAs(ctx, deal.owner), { until: back });
    const id = await openId();
    pass(ANSWER_HOURS + 1);
    await expect(decide(id, 'upheld')).rejects.toMatchObject(changed);
  });

  it('in a ring is between whoever gave and whoever got: the third learns nothing of it [decisions 3.15.31]', async () => {
    const ring = await createRing(ctx, { consents: 2 });
    await move(ctx, ring.author.actor, ring.id, 'completed');
    await open(ring.second.actor, ring.author.coupon.id, ring.id);
    await expect(open(ring.third.actor, ring.author.coupon.id, ring.id)).rejects.toMatchObject(forbidden);
    const seen = await claimsOfExchange(actingAs(ctx, ring.third.actor), ring.id);
    expect(seen.map(({ couponId }) => couponId)).toEqual([ring.second.coupon.id, ring.third.coupon.id]);
    expect(seen.every(({ claim }) => claim === null)).toBe(true);
    expect(
      (await noticesOf(ctx, ring.third.actor)).filter(({ content }) => content.includes('claim')),
    ).toEqual([]);
    expect(await claimsOfExchange(actingAs(ctx, ring.author.actor), ring.id)).toHaveLength(2);
  });

  it('is in one list with those about sales', async () => {
    const id = await openId();
    const { items } = await listClaims(actingAs(ctx, moderator), { onlyOpen: false, page: 1, limit: 1 });
    expect(items).toEqual([
      expect.objectContaining({
        id,
        bidId: null,
        exchangeId: deal.id,
        buyerTotal: null,
        claimantId: deal.requester.id,
        giverId: deal.owner.id,
        answerBy: expect.any(String),
      }),
    ]);
  });

  it('is refused by the database before the exchange is completed', async () => {
    const { id, requested } = await createDeal(ctx);
    const early = { exchangeId: id, couponId: requested.id, reason: REASON, createdAt: ctx.clock() };
    await expect(ctx.db.insertInto('claims').values(early).execute()).rejects.toThrow('is not completed');
  });

  it('can be withdrawn by whoever made it, until it is decided', async () => {
    const id = await openId();
    await expect(withdraw(id, deal.owner)).rejects.toMatchObject(forbidden);
    await expect(withdraw(id, await createUser(ctx))).rejects.toMatchObject(notFound);
    await withdraw(id);
    await expect(withdraw(id)).rejects.toMatchObject(changed);
    await expect(answer(id)).rejects.toMatchObject(changed);
    await expect(decide(id, 'upheld')).rejects.toMatchObject(changed);
    await expect(open()).rejects.toMatchObject(refused('conflict'));
  });

  it('is answered by the giver, once; without an answer it is decided after 72 hours', async () => {
    const id = await openId();
    await expect(answer(id, deal.requester)).rejects.toMatchObject(forbidden);
    await expect(answer(id, moderator)).rejects.toMatchObject(notFound);
    await answer(id);
    await expect(answer(id)).rejects.toMatchObject(changed);
    const other = legOf(await open(deal.owner, deal.offered.id), deal.offered.id)?.claim?.id ?? 0;
    pass(ANSWER_HOURS);
    await decide(other, 'upheld');
    await expect(answer(other, deal.requester)).rejects.toMatchObject(changed);
  });
});
