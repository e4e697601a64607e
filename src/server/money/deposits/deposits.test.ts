import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { giveFeedback } from '#server/coupons/codes/code-feedback.ts';
import { inTransaction } from '#server/database/client.ts';
import { proposeRing } from '#server/deals/exchanges/proposing.ts';
import { exchangeById, setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { expireDeals } from '#server/deals/lifecycle/expiry.ts';
import { listDeals } from '#server/deals/list/service.ts';
import { answerClaim } from '#server/money/claims/claims.ts';
import { decideLegClaim, openLegClaim, withdrawLegClaim } from '#server/money/claims/leg-claims.ts';
import { moneyUnderWay } from '#server/money/claims/service.ts';
import { listPaymentIssues, retryPaymentIssue } from '#server/money/payment-issues/service.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import {
  acceptedWithDeposit,
  complete,
  completedWithDeposits,
  depositsOf,
  lookAgain,
  putUp,
  type SwapWithDeposit,
} from '#tests/support/deposits.ts';
import { ringPeople } from '#tests/support/exchanges.ts';
import { CARDS, setUpMarket, setUpStripeSeller } from '#tests/support/payments.ts';
import { createDepositIntent, ownDeposit, refreshOwnDeposit } from './service.ts';

const market = setUpMarket();
const as = (who: Actor) => actingAs(market.ctx, who);

/** The requester claims that the owner's code does not work. @returns the claim's id */
async function claim(swap: SwapWithDeposit): Promise<number> {
  const legs = await openLegClaim(as(swap.requester), {
    ...{ exchangeId: swap.id, couponId: swap.requested.id, reason: 'The till did not take it.' },
  });
  await market.ctx.clock.advanceDays(0);
  const id = legs.find(({ couponId }) => couponId === swap.requested.id)?.claim?.id ?? 0;
  await lookAgain(market);
  return id;
}

async function decide(swap: SwapWithDeposit, id: number, decision: 'upheld' | 'refused') {
  await answerClaim(as(swap.owner), { id, answer: 'It worked for me.' });
  const moderator = await createUser(market.ctx, { role: 'moderator' });
  await decideLegClaim(as(moderator), { id, decision, note: 'The shop says so.' });
  await lookAgain(market);
}

/** What is left on the account of deposits. */
async function held(): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce((-sum(e.amount) * 100)::integer, 0) as cents from ledger_entries e
    join ledger_accounts a on a.id = e.account_id where a.kind = 'deposits'`.execute(market.ctx.db);
  return rows[0]?.cents ?? 0;
}

describe('a swap with a deposit', () => {
  it('is completed only once both cards are authorised, and takes no money', async () => {
    const swap = await acceptedWithDeposit(market);
    await expect(complete(market, swap)).rejects.toMatchObject({ code: 'conflict' });
    await expect(putUp(market, swap.requester, swap.id)).resolves.toMatchObject({
      status: 'authorised',
      amount: '10.00',
    });
    await expect(complete(market, swap)).rejects.toThrow('The deposit of $10.00 CAD is still missing from');
    await putUp(market, swap.owner, swap.id);
    await expect(complete(market, swap)).resolves.toMatchObject({ status: 'completed', deposit: '10.00' });
    await expect(held()).resolves.toBe(0);
    await expect(market.textsFor(swap.requester)).resolves.toContainEqual(
      expect.stringContaining('Now everyone has: you can complete the exchange.'),
    );
  });

  it('is the turn of whoever has not put theirs up, then of both', async () => {
    const swap = await acceptedWithDeposit(market);
    const place = async (who: Actor) => {
      const { items } = await listDeals(as(who), { only: 'exchanges', page: 1, limit: 9 }, async () => []);
      return items[0] && { stage: items[0].stage, nextAct: items[0].nextAct };
    };
    await expect(place(swap.owner)).resolves.toEqual({ stage: 'yours', nextAct: 'put_up_deposit' });
    await putUp(market, swap.owner, swap.id);
    await expect(place(swap.owner)).resolves.toEqual({ stage: 'others', nextAct: null });
    await expect(place(swap.requester)).resolves.toEqual({ stage: 'yours', nextAct: 'put_up_deposit' });
    await putUp(market, swap.requester, swap.id);
    await expect(place(swap.owner)).resolves.toEqual({ stage: 'yours', nextAct: 'complete' });
  });

  it('goes in a ring to whoever got the code that failed', async () => {
    const { people, legs } = await ringPeople(market.ctx);
    const [ann, bo, cy] = people.map(({ actor }) => actor);
    if (!ann || !bo || !cy) throw new Error('A ring has three people');
    const { id } = await proposeRing(as(ann), { legs, deposit: '5', message: null });
    for (const who of [bo, cy]) await setExchangeStatus(as(who), { id, status: 'accepted', deposit: '5' });
    for (const who of [ann, bo, cy]) await putUp(market, who, id);
    await setExchangeStatus(as(cy), { id, status: 'completed' });
    // Ann gives to Bo.
    const claims = await openLegClaim(as(bo), {
      ...{ exchangeId: id, couponId: people[0]?.coupon.id ?? 0, reason: 'The till did not take it.' },
    });
    await lookAgain(market);
    const statusOf = async (who: Actor) => (await ownDeposit(as(who), id))?.status;
    await expect(Promise.all([ann, bo, cy].map(statusOf))).resolves.toEqual([
      'captured',
      'authorised',
      'authorised',
    ]);
    const claimId = claims.find((leg) => leg.claim !== null)?.claim?.id ?? 0;
    await withdrawLegClaim(as(bo), claimId);
    await lookAgain(market);
    await expect(statusOf(ann)).resolves.toBe('refunded');
  });

  it('releases both 72 hours later', async () => {
    const swap = await completedWithDeposits(market);
    await lookAgain(market, 2.9);
    await expect(depositsOf(market, swap)).resolves.toEqual({ requester: 'authorised', owner: 'authorised' });
    await lookAgain(market, 0.2);
    await expect(depositsOf(market, swap)).resolves.toEqual({ requester: 'voided', owner: 'voided' });
    await expect(market.textsFor(swap.owner)).resolves.toContain(
      'Your deposit of $10.00 CAD is released. Nothing was taken.',
    );
  });

  it('releases the deposits as soon as both have said that their code works', async () => {
    const swap = await completedWithDeposits(market);
    await giveFeedback(as(swap.requester), { id: swap.requested.id, worked: true });
    await lookAgain(market);
    await expect(depositsOf(market, swap)).resolves.toEqual({ requester: 'authorised', owner: 'authorised' });
    await giveFeedback(as(swap.owner), { id: swap.offered.id, worked: true });
    await lookAgain(market);
    await expect(depositsOf(market, swap)).resolves.toEqual({ requester: 'voided', owner: 'voided' });
  });

  it('captures the deposit of the accused alone, and pays it to the claimant when the claim is granted', async () => {
    const swap = await completedWithDeposits(market, { requester: await market.readySeller(['stripe']) });
    const id = await claim(swap);
    await expect(depositsOf(market, swap)).resolves.toEqual({ requester: 'authorised', owner: 'captured' });
    await expect(held()).resolves.toBe(1_000);
    await decide(swap, id, 'upheld');
    await expect(depositsOf(market, swap)).resolves.toEqual({ requester: 'authorised', owner: 'paid_out' });
    await expect(held()).resolves.toBe(0);
    await expect(market.textsFor(swap.requester)).resolves.toContainEqual(
      expect.stringContaining('$10.00 CAD is on its way to your account.'),
    );
  });

  it('waits for the account of a claimant who has none, who is told once', async () => {
    const swap = await completedWithDeposits(market);
    await decide(swap, await claim(swap), 'upheld');
    await lookAgain(market, 0.1);
    await expect(depositsOf(market, swap)).resolves.toMatchObject({ owner: 'captured' });
    const told = (await market.textsFor(swap.requester)).filter((text) =>
      text.includes('Set up a payment account'),
    );
    expect(told).toHaveLength(1);
    await setUpStripeSeller(market.ctx, swap.requester, market.stripe);
    await lookAgain(market, 0.1);
    await expect(depositsOf(market, swap)).resolves.toMatchObject({ owner: 'paid_out' });
  });

  it('gives a captured deposit back when the claim is declined or withdrawn', async () => {
    const declined = await completedWithDeposits(market);
    await decide(declined, await claim(declined), 'refused');
    await expect(depositsOf(market, declined)).resolves.toMatchObject({ owner: 'refunded' });
    const withdrawn = await completedWithDeposits(market);
    await withdrawLegClaim(as(withdrawn.requester), await claim(withdrawn));
    await lookAgain(market);
    await expect(depositsOf(market, withdrawn)).resolves.toMatchObject({ owner: 'refunded' });
    await expect(held()).resolves.toBe(0);
  });

  it('takes another card after a refused one', async () => {
    const swap = await acceptedWithDeposit(market);
    const me = as(swap.owner);
    const { clientSecret } = await createDepositIntent(me, swap.id);
    await market.stripe.confirmWithCard(clientSecret, CARDS.declined);
    await expect(refreshOwnDeposit(me, swap.id)).resolves.toMatchObject({ status: 'open' });
    await expect(createDepositIntent(me, swap.id)).resolves.toMatchObject({ clientSecret });
    await expect(putUp(market, swap.owner, swap.id)).resolves.toMatchObject({ status: 'authorised' });
  });

  it('ends 48 hours after the agreement if a deposit is missing, and releases the other', async () => {
    const swap = await acceptedWithDeposit(market);
    await putUp(market, swap.owner, swap.id);
    market.ctx.clock.advanceDays(2.01);
    await expect(createDepositIntent(as(swap.requester), swap.id)).rejects.toMatchObject({
      code: 'deal_changed',
    });
    await expireDeals(market.ctx);
    await lookAgain(market);
    await expect(exchangeById(as(swap.owner), swap.id)).resolves.toMatchObject({
      status: 'cancelled',
      reason: 'deadline',
    });
    await expect(depositsOf(market, swap)).resolves.toEqual({ requester: null, owner: 'voided' });
  });

  it('ends 4 days after the first deposit, so that the time for claims fits into the authorisation', async () => {
    const swap = await acceptedWithDeposit(market);
    for (const who of [swap.requester, swap.owner]) await putUp(market, who, swap.id);
    market.ctx.clock.advanceDays(3.9);
    await expireDeals(market.ctx);
    await expect(exchangeById(as(swap.owner), swap.id)).resolves.toMatchObject({ status: 'accepted' });
    market.ctx.clock.advanceDays(0.2);
    await expect(complete(market, swap)).rejects.toThrow('The time to complete this exchange is over.');
    await expireDeals(market.ctx);
    await lookAgain(market);
    await expect(exchangeById(as(swap.owner), swap.id)).resolves.toMatchObject({ status: 'cancelled' });
    await expect(depositsOf(market, swap)).resolves.toEqual({ requester: 'voided', owner: 'voided' });
  });

  it('releases a deposit that was begun and never confirmed', async () => {
    const swap = await acceptedWithDeposit(market);
    await createDepositIntent(as(swap.owner), swap.id);
    await setExchangeStatus(as(swap.requester), { id: swap.id, status: 'cancelled' });
    await lookAgain(market);
    await expect(depositsOf(market, swap)).resolves.toEqual({ requester: null, owner: 'voided' });
  });

  it('leaves what does not fit to a person, who can have it tried again', async () => {
    const swap = await completedWithDeposits(market);
    const own = sql`exchange_id = ${swap.id} and user_id = ${swap.owner.id}`;
    await sql`update deposits set amount = 9 where ${own}`.execute(market.ctx.db);
    await lookAgain(market, 3.1);
    const admin = as(await createUser(market.ctx, { role: 'admin' }));
    const [issue] = (await listPaymentIssues(admin, { page: 1, limit: 9, isHandled: false })).items;
    expect(issue).toMatchObject({ kind: 'review', what: 'deposit', lastError: 'Its amount is 1000 cents' });
    await sql`update deposits set amount = 10 where ${own}`.execute(market.ctx.db);
    const retry = { kind: 'review', ref: issue?.ref ?? '' } as const;
    await expect(retryPaymentIssue(admin, retry)).resolves.toEqual({ issue: null });
    await expect(depositsOf(market, swap)).resolves.toMatchObject({ owner: 'voided' });
  });

  it('keeps whoever has one from leaving until it has ended', async () => {
    const swap = await completedWithDeposits(market);
    const under = () => inTransaction(market.ctx.db, (trx) => moneyUnderWay(trx, swap.owner.id));
    await expect(under()).resolves.toBe('payment');
    await lookAgain(market, 3.1);
    await expect(under()).resolves.toBeNull();
  });

  it('shows nobody another person’s deposit, and lets nobody put it up', async () => {
    const swap = await acceptedWithDeposit(market);
    await putUp(market, swap.owner, swap.id);
    await expect(ownDeposit(as(swap.requester), swap.id)).resolves.toBeNull();
    await expect(refreshOwnDeposit(as(swap.requester), swap.id)).rejects.toMatchObject({ code: 'not_found' });
    const strangers = [await createUser(market.ctx), await createUser(market.ctx, { role: 'moderator' })];
    for (const who of strangers) {
      for (const call of [ownDeposit, createDepositIntent, refreshOwnDeposit])
        await expect(call(as(who), swap.id)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('is authorised and completed once, also from two processes', async () => {
    const swap = await acceptedWithDeposit(market);
    const intents = await Promise.all([1, 2].map(() => createDepositIntent(as(swap.owner), swap.id)));
    expect(new Set(intents.map(({ clientSecret }) => clientSecret)).size).toBe(1);
    await market.stripe.confirmWithCard(intents[0]?.clientSecret ?? '', CARDS.good);
    await Promise.all([
      refreshOwnDeposit(as(swap.owner), swap.id),
      refreshOwnDeposit(as(swap.owner), swap.id),
      putUp(market, swap.requester, swap.id),
    ]);
    const ends = await Promise.allSettled([complete(market, swap), complete(market, swap)]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await Promise.all([claim(swap), lookAgain(market), lookAgain(market)]);
    await expect(depositsOf(market, swap)).resolves.toMatchObject({ owner: 'captured' });
    await expect(held()).resolves.toBe(1_000);
    await market.passDays(20);
  });
});
