import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { listCouponsInputSchema } from '#contract/coupons/coupons.ts';
import { BLOCKS_MAX } from '#contract/people/blocks.ts';
import type { Actor } from '#server/context/context.ts';
import { listCoupons } from '#server/coupons/search/listing.ts';
import { listSavedCoupons, saveCoupon } from '#server/coupons/search/saved.ts';
import { inTransaction } from '#server/database/client.ts';
import { placeBid } from '#server/deals/bids/service.ts';
import { conversationOf, sendMessage } from '#server/deals/messages/service.ts';
import { profileById } from '#server/oversight/profiles/service.ts';
import { addBlock, listBlocked, unblockPerson } from '#server/people/blocks/service.ts';
import { listNotifications } from '#server/people/notifications/service.ts';
import { actingAs, createCoupon, createUser } from '#tests/support/builders.ts';
import { createDeal, move, propose, twoPeople } from '#tests/support/exchanges.ts';
import {
  expectSoundBooks,
  isLockAwaited,
  itInRounds,
  race,
  refusalOf,
  setUpRaces,
  statusOf,
} from '#tests/support/races.ts';
import { blockPerson } from './blocking.ts';

const { ctx, expectNoDeadlock } = setUpRaces();

const block = (who: Actor, whom: Actor) => blockPerson(actingAs(ctx, who), { userId: whom.id });
const bidOn = (who: Actor, couponId: number) =>
  placeBid(actingAs(ctx, who), { couponId, amount: '5.00', message: null, acknowledgeNoCode: false });
const write = (who: Actor, exchangeId: number) =>
  sendMessage(actingAs(ctx, who), { dealType: 'exchange', dealId: exchangeId, content: 'Hello?' });
const PAGE = { page: 1, limit: 50 } as const;

async function merchantsSeenBy(who: Actor | null, merchant: string) {
  const input = listCouponsInputSchema.parse({ merchant });
  return (await listCoupons({ ...ctx, actor: who }, input)).items.map(({ id }) => id);
}

describe('a block', () => {
  it('refuses proposals and bids to the blocked person with the answer for a coupon that is gone [decisions 3.14.1]', async () => {
    const { requester, owner, offered, requested } = await twoPeople(ctx);
    await block(owner, requester);
    const gone = { code: 'coupon_unavailable', message: `“${requested.title}” is no longer available` };
    await expect(propose(ctx, requester, { offered, requested })).rejects.toMatchObject(gone);
    await expect(bidOn(requester, requested.id)).rejects.toMatchObject(gone);
    const inactive = await createCoupon(ctx, owner, { title: requested.title, isActive: false });
    await expect(bidOn(requester, inactive.id)).rejects.toMatchObject(gone);
  });

  it('refuses the blocker’s own proposals, bids and messages with the reason', async () => {
    const deal = await createDeal(ctx, 'accepted');
    const { requester, owner, id } = deal;
    await block(owner, requester);
    const [wanted, offered] = [await createCoupon(ctx, requester), await createCoupon(ctx, owner)];
    const own = { code: 'conflict', message: expect.stringContaining('You have blocked this person') };
    await expect(propose(ctx, owner, { offered, requested: wanted })).rejects.toMatchObject(own);
    await expect(bidOn(owner, wanted.id)).rejects.toMatchObject(own);
    await expect(write(owner, id)).rejects.toMatchObject(own);
    const conversation = (who: Actor) =>
      conversationOf(actingAs(ctx, who), { dealType: 'exchange', dealId: id });
    expect((await conversation(owner)).isBlocked).toBe(true);
    expect((await conversation(requester)).isBlocked).toBe(false);
    await expect(write(requester, id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'You cannot write in this conversation any more.',
    });
  });

  it('leaves an accepted deal to its end, and ends pending ones as the blocker would [decisions 3.14.2]', async () => {
    const accepted = await createDeal(ctx, 'accepted');
    const { requester, owner } = accepted;
    const received = await propose(ctx, requester, {
      offered: await createCoupon(ctx, requester),
      requested: await createCoupon(ctx, owner),
    });
    const bid = await bidOn(owner, (await createCoupon(ctx, requester)).id);
    await block(owner, requester);
    expect(await statusOf(ctx, 'exchanges', received.id)).toBe('rejected');
    expect(await statusOf(ctx, 'bids', bid.id)).toBe('cancelled');
    await move(ctx, requester, accepted.id, 'completed');
    expect(await statusOf(ctx, 'exchanges', accepted.id)).toBe('completed');
    const told = (await listNotifications(actingAs(ctx, requester), PAGE)).items.map(
      ({ content }) => content,
    );
    expect(told.join()).not.toMatch(/block/i);
    await expectSoundBooks(ctx);
  });

  it('hides the blocked person’s coupons from the blocker’s lists, and changes nothing for others [decisions 3.14.3]', async () => {
    const [blocker, blocked] = [await createUser(ctx), await createUser(ctx)];
    const merchant = `Shop of ${blocked.username}`;
    const theirs = await createCoupon(ctx, blocked, { merchant });
    const others = await createCoupon(ctx, await createUser(ctx), { merchant });
    const own = await createCoupon(ctx, blocker, { merchant });
    await saveCoupon(actingAs(ctx, blocker), theirs.id);
    await block(blocker, blocked);
    const all = [own.id, others.id, theirs.id];
    expect(await merchantsSeenBy(blocker, merchant)).toEqual([own.id, others.id]);
    expect((await listSavedCoupons(actingAs(ctx, blocker), PAGE)).items).toEqual([]);
    expect(await merchantsSeenBy(blocked, merchant)).toEqual(all);
    expect(await merchantsSeenBy(null, merchant)).toEqual(all);
    expect((await profileById(actingAs(ctx, blocker), blocked.id)).isBlocked).toBe(true);
    expect((await profileById(actingAs(ctx, blocked), blocker.id)).isBlocked).toBe(false);
  });

  it('is listed, may be repeated, and ends with an unblocking', async () => {
    const { requester, owner, offered, requested } = await twoPeople(ctx);
    await block(owner, requester);
    await block(owner, requester);
    const listed = await listBlocked(actingAs(ctx, owner));
    expect(listed).toEqual([
      {
        id: requester.id,
        username: requester.username,
        profileImageUrl: null,
        blockedAt: ctx.clock().toISOString(),
      },
    ]);
    await unblockPerson(actingAs(ctx, owner), requester.id);
    await unblockPerson(actingAs(ctx, owner), requester.id);
    expect(await listBlocked(actingAs(ctx, owner))).toEqual([]);
    expect((await propose(ctx, requester, { offered, requested })).status).toBe('pending');
  });

  it('is refused for oneself, for nobody, and beyond the limit, also of two at once', async () => {
    const person = await createUser(ctx);
    await expect(block(person, person)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(block(person, { ...person, id: 2_000_000_000 })).rejects.toMatchObject({
      code: 'not_found',
    });
    await sql`
      with made as (
        insert into users (username, email, password_hash, terms_accepted_at, adult_confirmed_at, created_at, updated_at,
      email_verified_at)
        select 'crowd-' || n, 'crowd-' || n || '@example.org', '', at, at, at, at, at
        from generate_series(1, ${BLOCKS_MAX}) as n, (values (${ctx.clock()}::timestamptz)) as now (at)
        returning id, created_at)
      insert into user_blocks (blocker_id, blocked_id, created_at) select ${person.id}, id, created_at from made`.execute(
      ctx.db,
    );
    await expect(block(person, await createUser(ctx))).rejects.toMatchObject({ code: 'conflict' });
    await unblockPerson(actingAs(ctx, person), (await listBlocked(actingAs(ctx, person)))[0]?.id ?? 0);
    const [last, tooMany] = [await createUser(ctx), await createUser(ctx)];
    const second = await inTransaction(ctx.db, async (trx) => {
      await addBlock(trx, actingAs(ctx, person), last.id);
      let isOver = false;
      const attempt = Promise.allSettled([block(person, tooMany)]).finally(() => {
        isOver = true;
      });
      while (!isOver && !(await isLockAwaited(ctx)));
      return { attempt };
    });
    expect(await second.attempt).toMatchObject([{ status: 'rejected', reason: { code: 'conflict' } }]);
    expect(await listBlocked(actingAs(ctx, person))).toHaveLength(BLOCKS_MAX);
  });
});

describe('a block at the same moment', () => {
  itInRounds(
    'as a proposal or a bid lets no deal between the two stay pending [decisions 3.14.4]',
    async (round) => {
      const { requester, owner, offered, requested } = await twoPeople(ctx);
      const begin = (): Promise<{ readonly id: number }> =>
        round % 4 < 2 ? propose(ctx, requester, { offered, requested }) : bidOn(requester, requested.id);
      const [blocked, begun] = await race(round, () => block(owner, requester), begin);
      expect(blocked.status).toBe('fulfilled');
      if (begun.status === 'rejected') expect(refusalOf(begun).code).toBe('coupon_unavailable');
      else expect(await statusOf(ctx, round % 4 < 2 ? 'exchanges' : 'bids', begun.value.id)).toBe('rejected');
      await expect(begin()).rejects.toMatchObject({ code: 'coupon_unavailable' });
    },
  );

  itInRounds('as an accept either ends the proposal or lets the deal go on', async (round) => {
    const { requester, owner, id } = await createDeal(ctx);
    const [blocked, accepted] = await race(
      round,
      () => block(requester, owner),
      () => move(ctx, owner, id, 'accepted'),
    );
    expect(blocked.status).toBe('fulfilled');
    if (accepted.status === 'rejected') expect(refusalOf(accepted).code).toBe('deal_changed');
    expect(await statusOf(ctx, 'exchanges', id)).toBe(
      accepted.status === 'fulfilled' ? 'accepted' : 'cancelled',
    );
  });

  itInRounds('as the other’s block blocks both', async (round) => {
    const { requester, owner } = await createDeal(ctx);
    const both = await race(
      round,
      () => block(requester, owner),
      () => block(owner, requester),
    );
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    await expectSoundBooks(ctx);
  });

  it('meets no deadlock', () => expectNoDeadlock());
});
