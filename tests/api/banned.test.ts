import { beforeAll, describe, expect, it } from 'vitest';
import type { UserStatus } from '#contract/accounts.ts';
import { TEXTS } from '#contract/texts.ts';
import type { Actor } from '#server/domains/context.ts';
import { setUserStatus } from '#server/domains/moderation/status.ts';
import { releaseDue } from '#server/domains/payments/holds.ts';
import { actingAs, createUser } from '#server/testing/builders.ts';
import { insertLegClaim } from '#server/testing/claims.ts';
import { setUpMailedLinks } from '#server/testing/mailed-links.ts';
import { completeExchange } from '#server/testing/ratings.ts';
import { insertHeldSale } from '#server/testing/sales.ts';

/** Whoever is banned defends what is theirs by a mailed link (decisions 5.2). */

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

const reason = 'The till did not take it.';
const paymentStatus = async (id: number) =>
  (
    await links.test.ctx.db
      .selectFrom('paymentTransactions')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status;

describe('a banned buyer', () => {
  it('sees the code, claims by the mailed link, and can do nothing else', async () => {
    const { ctx } = links.test;
    const [buyer, seller] = [await createUser(ctx), await createUser(ctx)];
    const sale = await insertHeldSale(ctx, buyer, seller);
    const { couponId } = await ctx.db
      .selectFrom('bids')
      .select('couponId')
      .where('id', '=', sale.bidId)
      .executeTakeFirstOrThrow();
    await set(buyer, 'banned');
    const call = await byLink(await tokenOf(buyer));
    expect((await call('GET', '/api/bids?role=bidder')).statusCode).toBe(200);
    expect((await call('POST', `/api/coupons/${couponId}/reveal`)).statusCode).toBe(200);
    const claimed = await call('POST', `/api/bids/${sale.bidId}/claim`, { reason });
    expect(claimed.statusCode, claimed.body).toBe(200);
    const refused = [
      await call('POST', '/api/coupons', {}),
      await call('POST', '/api/blocks', { userId: seller.id }),
      await call('POST', `/api/exchanges/1/messages`, { content: 'Hello' }),
    ];
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403, 404]);
    ctx.clock.advanceDays(4);
    await releaseDue(ctx);
    expect(await paymentStatus(sale.paymentId)).toBe('held');
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
});

it('a banned giver is mailed a claim that is made later, and answers it by the link', async () => {
  const { ctx } = links.test;
  const [giver, claimant] = [await createUser(ctx), await createUser(ctx)];
  await completeExchange(ctx, claimant, giver);
  await set(giver, 'banned');
  await links.emptyBoxes();
  await set(giver, 'active');
  const claimId = await insertLegClaim(ctx, claimant, giver);
  await set(giver, 'banned');
  await links.emptyBoxes();
  const { paymentId: _, bidId } = await insertHeldSale(ctx, claimant, giver);
  const claimed = await links.post(claimant, `/api/bids/${bidId}/claim`, { reason });
  expect(claimed.statusCode, claimed.body).toBe(200);
  const call = await byLink(await tokenOf(giver));
  const answered = await call('POST', `/api/claims/${claimId}/answer`, { answer: 'It did.' });
  expect(answered.statusCode, answered.body).toBe(200);
});

it('the link ends with the ban, expires after 90 days, and cannot be made up; its session ends with the ban', async () => {
  const { ctx } = links.test;
  const person = await createUser(ctx);
  await set(person, 'banned');
  const token = await tokenOf(person);
  const call = await byLink(token);
  await set(person, 'active');
  expect((await call('GET', '/api/bids')).statusCode).toBe(401);
  const spent = async (given: string) => {
    const { statusCode, json } = await start(given);
    expect({ statusCode, error: json().error.data.wire.error }).toEqual({
      statusCode: 400,
      error: TEXTS.settings.defenceOver(),
    });
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
