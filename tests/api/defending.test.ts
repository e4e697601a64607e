import { beforeAll, describe, expect, it } from 'vitest';
import type { UserStatus } from '#contract/accounts.ts';
import type { Actor } from '#server/domains/context.ts';
import { setUserStatus } from '#server/domains/moderation/status.ts';
import { releaseDue } from '#server/domains/payments/holds.ts';
import { setUpApp } from '#server/testing/app.ts';
import { actingAs, createUser } from '#server/testing/builders.ts';
import { insertLegClaim } from '#server/testing/claims.ts';
import { completeExchange } from '#server/testing/ratings.ts';
import { insertHeldSale } from '#server/testing/sales.ts';

/** Whoever is suspended may still defend what is theirs (decisions 5.2). */

const test = setUpApp();
let admin: Actor;
beforeAll(async () => {
  admin = await createUser(test.ctx, { role: 'admin' });
});

const set = ({ id }: Actor, status: UserStatus) =>
  setUserStatus(actingAs(test.ctx, admin), { id, status, reason: 'Three people complained.' });

async function suspended(): Promise<Actor> {
  const person = await createUser(test.ctx);
  return { ...person, status: 'suspended' };
}

const post = (who: Actor, url: string, body: object = {}) => test.call(who, { method: 'POST', url, body });
const reason = 'The till did not take it.';

describe('a suspended person', () => {
  it('claims that a bought code does not work, and the seller is not paid; they may withdraw it again [decisions 5.2.2]', async () => {
    const [buyer, seller] = [await suspended(), await createUser(test.ctx)];
    const sale = await insertHeldSale(test.ctx, buyer, seller);
    await set(buyer, 'suspended');
    const claimed = await post(buyer, `/api/bids/${sale.bidId}/claim`, { reason });
    expect(claimed.statusCode, claimed.body).toBe(200);
    test.ctx.clock.advanceDays(3.1);
    await releaseDue(test.ctx);
    const { status } = await test.ctx.db
      .selectFrom('paymentTransactions')
      .select('status')
      .where('id', '=', sale.paymentId)
      .executeTakeFirstOrThrow();
    expect(status).toBe('held');
    const withdrawn = await test.call(buyer, { method: 'DELETE', url: `/api/bids/${sale.bidId}/claim` });
    expect(withdrawn.json()).toMatchObject({ claim: { status: 'withdrawn' } });
  });

  it('claims about a swap, and withdraws that', async () => {
    const [person, other] = [await suspended(), await createUser(test.ctx)];
    const { dealId } = await completeExchange(test.ctx, person, other);
    await set(person, 'suspended');
    const legs = (await test.call(person, { method: 'GET', url: `/api/exchanges/${dealId}/claims` })).json();
    const { couponId } = legs.find(({ mayClaim }: { mayClaim: boolean }) => mayClaim);
    const claimed = await post(person, `/api/exchanges/${dealId}/claims`, { couponId, reason });
    expect(claimed.statusCode, claimed.body).toBe(201);
    const { id } = claimed.json().find(({ claim }: { claim: unknown }) => claim !== null).claim;
    const withdrawn = await test.call(person, { method: 'DELETE', url: `/api/claims/${id}` });
    expect(withdrawn.statusCode, withdrawn.body).toBe(200);
  });

  it('answers a claim, and writes in the deal that it is about, but in no other', async () => {
    const [giver, claimant] = [await suspended(), await createUser(test.ctx)];
    const claimId = await insertLegClaim(test.ctx, claimant, giver);
    const { exchangeId } = await test.ctx.db
      .selectFrom('claims')
      .select('exchangeId')
      .where('id', '=', claimId)
      .executeTakeFirstOrThrow();
    const other = await completeExchange(test.ctx, claimant, giver);
    await set(giver, 'suspended');
    const write = (id: number | null) =>
      post(giver, `/api/exchanges/${id}/messages`, { content: 'It worked when I tried it.' });
    expect((await write(exchangeId)).statusCode).toBe(201);
    const refused = await write(other.dealId);
    expect([refused.statusCode, refused.json().error]).toEqual([
      403,
      'Your account is suspended. You can only write in a deal that has an open claim.',
    ]);
    const seen = await test.call(giver, { method: 'GET', url: `/api/conversations/exchange/${exchangeId}` });
    expect(seen.json()).toMatchObject({ hasOpenClaim: true });
    const answered = await post(giver, `/api/claims/${claimId}/answer`, { answer: 'It did.' });
    expect(answered.statusCode, answered.body).toBe(200);
  });

  it('confirms a code that works', async () => {
    const [buyer, seller] = [await suspended(), await createUser(test.ctx)];
    const sale = await insertHeldSale(test.ctx, buyer, seller);
    await set(buyer, 'suspended');
    const confirmed = await post(buyer, `/api/bids/${sale.bidId}/confirm`);
    expect(confirmed.json()).toMatchObject({ status: 'releasing' });
  });
});
