import { beforeAll, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import type { UserStatus } from '#contract/people/accounts.ts';
import type { Actor } from '#server/context/context.ts';
import { releaseDue } from '#server/money/claims/holds.ts';
import { setUserStatus } from '#server/oversight/moderation/status.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { insertLegClaim } from '#tests/support/claims.ts';
import { setUpMailedLinks } from '#tests/support/mailed-links.ts';
import { completeExchange } from '#tests/support/ratings.ts';
import { insertHeldSale } from '#tests/support/sales.ts';

/** Whoever is suspended, or banned, may still defend what is theirs: the latter by a mailed link (decisions 5.2). */

const links = setUpMailedLinks();
let admin: Actor;
beforeAll(async () => {
  admin = await createUser(links.test.ctx, { role: 'admin' });
});

const set = ({ id }: Actor, status: UserStatus) =>
  setUserStatus(actingAs(links.test.ctx, admin), { id, status, reason: 'Three people complained.' });
const tokenOf = ({ username }: Actor) => links.mailedToken(`${username}@example.org`, '/defend');
const start = (token: string) => links.test.trpc(null, 'mutation', 'accounts.startDefence', { token });

/** Follows the mailed link. @returns calls with its session */
async function byLink(token: string) {
  const answer = await start(token);
  expect(answer.statusCode, answer.body).toBe(200);
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
  return (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) =>
    links.test.call(null, { method, url, headers: { cookie }, ...(body && { body }) });
}

/** @returns calls as somebody can make them whose status changes so */
async function become(who: Actor, status: 'suspended' | 'banned'): ReturnType<typeof byLink> {
  await set(who, status);
  if (status === 'banned') return byLink(await tokenOf(who));
  return (method, url, body) => links.test.call({ ...who, status }, { method, url, ...(body && { body }) });
}

const reason = 'The till did not take it.';
const paymentStatus = async (id: number) => {
  const payments = links.test.ctx.db.selectFrom('paymentTransactions').select('status').where('id', '=', id);
  return (await payments.executeTakeFirstOrThrow()).status;
};
const couple = async () => [await createUser(links.test.ctx), await createUser(links.test.ctx)] as const;

it.each(['suspended', 'banned'] as const)(
  'a %s buyer claims that a bought code does not work, and the seller is not paid; they may withdraw it again [decisions 5.2.2]',
  async (status) => {
    const { ctx } = links.test;
    const [buyer, seller] = await couple();
    const sale = await insertHeldSale(ctx, buyer, seller);
    const bids = ctx.db.selectFrom('bids').select('couponId').where('id', '=', sale.bidId);
    const { couponId } = await bids.executeTakeFirstOrThrow();
    const call = await become(buyer, status);
    expect((await call('GET', '/api/bids?role=bidder')).statusCode).toBe(200);
    expect((await call('POST', `/api/coupons/${couponId}/reveal`)).statusCode).toBe(200);
    const claimed = await call('POST', `/api/bids/${sale.bidId}/claim`, { reason });
    expect(claimed.statusCode, claimed.body).toBe(200);
    expect((await call('POST', '/api/coupons', {})).statusCode).toBe(403);
    ctx.clock.advanceDays(4);
    await releaseDue(ctx);
    expect(await paymentStatus(sale.paymentId)).toBe('held');
    const withdrawn = await call('DELETE', `/api/bids/${sale.bidId}/claim`);
    expect(withdrawn.json()).toMatchObject({ claim: { status: 'withdrawn' } });
  },
);

describe('a suspended person', () => {
  it('claims about a swap, and withdraws that', async () => {
    const [person, other] = await couple();
    const { dealId } = await completeExchange(links.test.ctx, person, other);
    const call = await become(person, 'suspended');
    const legs = (await call('GET', `/api/exchanges/${dealId}/claims`)).json();
    const { couponId } = legs.find(({ mayClaim }: { mayClaim: boolean }) => mayClaim);
    const claimed = await call('POST', `/api/exchanges/${dealId}/claims`, { couponId, reason });
    expect(claimed.statusCode, claimed.body).toBe(201);
    const { id } = claimed.json().find(({ claim }: { claim: unknown }) => claim !== null).claim;
    const withdrawn = await call('DELETE', `/api/claims/${id}`);
    expect(withdrawn.statusCode, withdrawn.body).toBe(200);
  });

  it('answers a claim, and writes in the deal that it is about, but in no other', async () => {
    const [giver, claimant] = await couple();
    const claimId = await insertLegClaim(links.test.ctx, claimant, giver);
    const claims = links.test.ctx.db.selectFrom('claims').select('exchangeId').where('id', '=', claimId);
    const { exchangeId } = await claims.executeTakeFirstOrThrow();
    const other = await completeExchange(links.test.ctx, claimant, giver);
    const call = await become(giver, 'suspended');
    const write = (id: number | null) =>
      call('POST', `/api/exchanges/${id}/messages`, { content: 'It worked when I tried it.' });
    expect((await write(exchangeId)).statusCode).toBe(201);
    const refused = await write(other.dealId);
    expect([refused.statusCode, refused.json().error]).toEqual([
      403,
      'Your account is suspended. You can only write in a deal that has an open claim.',
    ]);
    const seen = await call('GET', `/api/conversations/exchange/${exchangeId}`);
    expect(seen.json()).toMatchObject({ hasOpenClaim: true });
    const answered = await call('POST', `/api/claims/${claimId}/answer`, { answer: 'It did.' });
    expect(answered.statusCode, answered.body).toBe(200);
  });

  it('confirms a code that works', async () => {
    const [buyer, seller] = await couple();
    const sale = await insertHeldSale(links.test.ctx, buyer, seller);
    const call = await become(buyer, 'suspended');
    const confirmed = await call('POST', `/api/bids/${sale.bidId}/confirm`, {});
    expect(confirmed.json()).toMatchObject({ status: 'releasing' });
  });
});

describe('a banned person', () => {
  it('can do nothing but defend what is theirs', async () => {
    const [person, other] = await couple();
    const call = await become(person, 'banned');
    const refused = [
      await call('POST', '/api/blocks', { userId: other.id }),
      await call('POST', `/api/exchanges/1/messages`, { content: 'Hello' }),
    ];
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 404]);
  });

  it('without a confirmed address gets no mail, and the money waits', async () => {
    const { ctx } = links.test;
    const [buyer, seller] = [await createUser(ctx, { emailVerifiedAt: null }), await createUser(ctx)];
    const sale = await insertHeldSale(ctx, buyer, seller);
    await set(buyer, 'banned');
    await links.sendMail();
    expect(links.subjectsTo(`${buyer.username}@example.org`)).toEqual([]);
    ctx.clock.advanceDays(20);
    await releaseDue(ctx);
    expect(await paymentStatus(sale.paymentId)).toBe('held');
  });

  it('is mailed a claim that is made later, and answers it by the link', async () => {
    const { ctx } = links.test;
    const [giver, claimant] = await couple();
    const claimId = await insertLegClaim(ctx, claimant, giver);
    await set(giver, 'banned');
    await links.emptyBoxes();
    const { bidId } = await insertHeldSale(ctx, claimant, giver);
    const claimed = await links.post(claimant, `/api/bids/${bidId}/claim`, { reason });
    expect(claimed.statusCode, claimed.body).toBe(200);
    const call = await byLink(await tokenOf(giver));
    const answered = await call('POST', `/api/claims/${claimId}/answer`, { answer: 'It did.' });
    expect(answered.statusCode, answered.body).toBe(200);
  });

  it('has a link that ends with the ban, expires after 90 days and cannot be made up; its session ends with the ban', async () => {
    const { ctx } = links.test;
    const person = await createUser(ctx);
    await set(person, 'banned');
    const token = await tokenOf(person);
    const call = await byLink(token);
    await set(person, 'active');
    expect((await call('GET', '/api/bids')).statusCode).toBe(401);
    const spent = async (given: string) => {
      const { statusCode, json } = await start(given);
      expect([statusCode, json().error.data.wire.error]).toEqual([400, TEXTS.settings.defenceOver()]);
    };
    await spent(token);
    await set(person, 'banned');
    const [, expires, seal] = token.split('.');
    await spent(`${admin.id}.${expires}.${seal}`);
    await spent(`${person.id}.${Number(expires) + 1}.${seal}`);
    await byLink(token);
    ctx.clock.advanceDays(91);
    await spent(token);
  });
});
