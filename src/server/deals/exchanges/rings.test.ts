import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { blockPerson } from '#server/oversight/moderation/blocking.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { createRing, historyOf, move, noticesOf, propose, ringPeople } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { proposeRing } from './proposing.ts';
import { exchangeById, listExchanges } from './service.ts';

const ctx = setUpContext();
const as = (actor: Actor) => actingAs(ctx, actor);

async function reservedIds(id: number): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('couponReservations')
    .select('couponId')
    .where('exchangeId', '=', id)
    .orderBy('couponId')
    .execute();
  return rows.map(({ couponId }) => couponId);
}

describe('proposing a ring', () => {
  it('is the consent of its author, and tells each of the others what it is for them', async () => {
    const { author, second, third, legs } = await ringPeople(ctx);
    const ring = await proposeRing(as(author.actor), { legs, message: 'All around?' });
    const [a, b, c] = [author, second, third].map(({ actor }) => actor);
    expect(ring).toMatchObject({
      kind: 'ring',
      status: 'pending',
      requesterId: a?.id,
      requestedCoupon: { id: third.coupon.id },
      requestedCouponOwnerId: c?.id,
      offeredCoupon: { id: author.coupon.id },
      consentBy: new Date(ctx.clock().getTime() + 48 * 3_600_000).toISOString(),
      deadlineAt: ring.consentBy,
      legs: [
        { place: 1, coupon: { id: author.coupon.id }, giverId: a?.id, receiverId: b?.id },
        { place: 2, coupon: { id: second.coupon.id }, giverId: b?.id, receiverId: c?.id },
        { place: 3, coupon: { id: third.coupon.id }, giverId: c?.id, receiverId: a?.id },
      ],
      parties: [
        { id: a?.id, consentedAt: ctx.clock().toISOString() },
        { id: b?.id, consentedAt: null },
        { id: c?.id, consentedAt: null },
      ],
    });
    expect((await noticesOf(ctx, second.actor)).at(-1)).toMatchObject({
      type: 'exchange_request',
      content: `${a?.username} proposes the ring with ${c?.username}: you give “${second.coupon.title}” and get “${author.coupon.title}”. Everyone has 48 hours to agree.`,
    });
    expect(await noticesOf(ctx, author.actor)).toEqual([]);
    for (const { actor } of [author, second, third]) {
      const { items } = await listExchanges(as(actor), { tab: 'all', page: 1, limit: 10, search: undefined });
      expect(items.map(({ id }) => id)).toEqual([ring.id]);
    }
    expect(JSON.stringify(ring)).not.toContain(second.coupon.code);
  });

  it('needs three to six people in one circle, the caller among them, and a coupon each', async () => {
    const { author, second, legs } = await ringPeople(ctx, 4);
    const refused = (given: typeof legs, actor = author.actor) =>
      expect(proposeRing(as(actor), { legs: given, message: null })).rejects;
    const [one, two, three, four] = legs;
    if (!one || !two || !three || !four) throw new Error('four legs');
    await refused([one, two]).toMatchObject({ code: 'bad_input', issues: [{ path: 'legs' }] });
    await refused(legs, await createUser(ctx)).toMatchObject({ code: 'forbidden' });
    // Two swaps are no ring.
    const swaps = [
      one,
      { ...two, receiverId: author.actor.id },
      three,
      { ...four, receiverId: two.receiverId },
    ];
    await refused(swaps).toMatchObject({ code: 'bad_input' });
    const crowd = await ringPeople(ctx, 7);
    await refused(crowd.legs, crowd.author.actor).toMatchObject({
      code: 'bad_input',
      message: 'A ring has 3 to 6 people',
    });
    await refused([one, one, two]).toMatchObject({ code: 'bad_input' });
    await refused([one, two, { ...three, receiverId: second.actor.id }]).toMatchObject({ code: 'bad_input' });
    await refused([one, two, { ...three, couponId: 2_000_000_000 }]).toMatchObject({ code: 'not_found' });
  });

  it('refuses people who have blocked each other, without telling others who', async () => {
    const { author, second, third, legs } = await ringPeople(ctx);
    await blockPerson(as(second.actor), { userId: third.actor.id });
    await expect(proposeRing(as(author.actor), { legs, message: null })).rejects.toMatchObject({
      code: 'coupon_unavailable',
      message: 'This ring is no longer possible',
    });
  });
});

describe('agreeing to a ring', () => {
  it('reserves nothing until the last consent, and then all coupons', async () => {
    const { people, author, second, third, id } = await createRing(ctx, { size: 4 });
    const first = await move(ctx, second.actor, id, 'accepted');
    expect(first).toMatchObject({ status: 'pending', acceptedAt: null });
    expect(await reservedIds(id)).toEqual([]);
    await expect(move(ctx, second.actor, id, 'accepted')).rejects.toMatchObject({
      code: 'deal_changed',
      message: 'You have already agreed to this exchange.',
    });
    await expect(move(ctx, author.actor, id, 'accepted')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(move(ctx, author.actor, id, 'completed')).rejects.toMatchObject({ code: 'deal_changed' });
    expect((await noticesOf(ctx, third.actor)).at(-1)?.content).toMatch(
      `${second.actor.username} agreed to the ring with `,
    );
    await move(ctx, third.actor, id, 'accepted');
    const last = people.at(-1);
    if (!last) throw new Error('nobody');
    expect(await move(ctx, last.actor, id, 'accepted')).toMatchObject({ status: 'accepted' });
    expect(await reservedIds(id)).toEqual(people.map(({ coupon }) => coupon.id));
    expect((await noticesOf(ctx, author.actor)).at(-1)).toMatchObject({ type: 'exchange_accepted' });
  });

  it.each([3, 6])(
    'moves every coupon at once when any of %i people completes it [decisions 3.15.25]',
    async (size) => {
      const { people, author, third, id } = await createRing(ctx, { size, consents: size - 1 });
      const receiverIds = people.map((_, place) => people[(place + 1) % size]?.actor.id);
      const completed = await move(ctx, third.actor, id, 'completed');
      expect(completed.legs.map(({ coupon }) => coupon.ownerId)).toEqual(receiverIds);
      expect(await reservedIds(id)).toEqual([]);
      const reveals = await ctx.db
        .selectFrom('couponReveals')
        .select(['couponId', 'userId'])
        .where(
          'couponId',
          'in',
          people.map(({ coupon }) => coupon.id),
        )
        .orderBy('couponId')
        .execute();
      expect(reveals.map(({ userId }) => userId)).toEqual(receiverIds);
      expect((await noticesOf(ctx, author.actor)).at(-1)).toMatchObject({
        type: 'exchange_completed',
        content: `${third.actor.username} completed your ring: you now own “${people.at(-1)?.coupon.title}”.`,
      });
    },
  );

  it('ends for all when one declines, and says who', async () => {
    const { author, second, third, id } = await createRing(ctx, { consents: 1 });
    const declined = await move(ctx, third.actor, id, 'rejected');
    expect(declined).toMatchObject({ status: 'rejected', reason: 'by_party', endedById: third.actor.id });
    for (const { actor } of [author, second]) {
      expect((await noticesOf(ctx, actor)).at(-1)?.content).toMatch(
        `${third.actor.username} declined the ring`,
      );
      expect((await historyOf(ctx, actor)).at(-1)).toMatchObject({
        action: 'rejected',
        actorId: third.actor.id,
      });
    }
  });

  it('ends when a coupon changes hands elsewhere, or when somebody in it blocks another', async () => {
    const { author, second, third, id } = await createRing(ctx, { consents: 1 });
    const buyer = await createUser(ctx);
    const rival = await propose(ctx, buyer, {
      offered: await createCoupon(ctx, buyer),
      requested: third.coupon,
    });
    await move(ctx, third.actor, rival.id, 'accepted');
    await expect(move(ctx, third.actor, id, 'accepted')).rejects.toMatchObject({ code: 'coupon_reserved' });
    await move(ctx, buyer, rival.id, 'completed');
    expect(await exchangeById(as(author.actor), id)).toMatchObject({ reason: 'rival_completed' });
    expect((await noticesOf(ctx, second.actor)).at(-1)?.content).toMatch(
      `“${third.coupon.title}” changed hands in another deal.`,
    );

    const blocked = await createRing(ctx);
    await blockPerson(as(blocked.second.actor), { userId: blocked.third.actor.id });
    expect(await exchangeById(as(blocked.author.actor), blocked.id)).toMatchObject({
      status: 'rejected',
      endedById: blocked.second.actor.id,
    });
  });
});

it('the database refuses a deal in which somebody gives or gets nothing, or that not everybody has agreed to', async () => {
  const { id, author, second } = await createRing(ctx);
  const takeAway = ctx.db
    .deleteFrom('exchangeLegs')
    .where('exchangeId', '=', id)
    .where('giverId', '=', author.actor.id);
  await expect(takeAway.execute()).rejects.toMatchObject({ code: '23514' });
  const accepted = { status: 'accepted', acceptedAt: ctx.clock(), updatedAt: ctx.clock() };
  await expect(
    ctx.db.updateTable('exchanges').set(accepted).where('id', '=', id).execute(),
  ).rejects.toMatchObject({ code: '23514', message: `not everybody has agreed to exchange ${id}` });
  const toStranger = { receiverId: (await createUser(ctx)).id };
  const leg = ctx.db.updateTable('exchangeLegs').where('exchangeId', '=', id);
  await expect(leg.where('giverId', '=', author.actor.id).set(toStranger).execute()).rejects.toMatchObject({
    code: '23503',
  });
  await expect(
    leg.where('giverId', '=', second.actor.id).set({ receiverId: second.actor.id }).execute(),
  ).rejects.toMatchObject({ code: '23514' });
});

it('all invariants hold', async () => {
  expect(await checkInvariants(ctx.db)).toEqual([]);
});
