import { describe, expect, it } from 'vitest';
import {
  DEALS_TO_ESTABLISH,
  OFFERS_OF_COUPON,
  OPEN_DEALS_AFTER_FIRST,
  OPEN_DEALS_AT_FIRST,
} from '#contract/base/limits.ts';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { reviseExchange } from '#server/deals/exchanges/proposing.ts';
import { decideLegClaim } from '#server/money/claims/leg-claims.ts';
import { bidOn } from '#tests/support/bids.ts';
import { actingAs, createCoupon, createUser, setUpFreshContext } from '#tests/support/builders.ts';
import { insertLegClaim } from '#tests/support/claims.ts';
import { move, propose } from '#tests/support/exchanges.ts';
import { completeExchange } from '#tests/support/ratings.ts';
import { checkDealLimit } from './service.ts';

/** How many deals a new person may have open (decisions 3.16), and how often one coupon may be offered. */

const ctx = setUpFreshContext();

const newcomer = () => createUser(ctx, { establishedAt: null });
const claimsAreOver = () => ctx.clock.advanceDays(CLAIM_HOURS / 24);

/** A swap that a new other person would have to answer. */
async function ask(person: Actor) {
  const offered = await createCoupon(ctx, person);
  const requested = await createCoupon(ctx, await createUser(ctx));
  return propose(ctx, person, { offered, requested });
}

async function bid(person: Actor) {
  return bidOn(ctx, person, await createCoupon(ctx, await createUser(ctx)));
}

async function times(count: number, act: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < count; i += 1) await act();
}

const refused = { code: 'too_many_deals' };

describe('a new person', () => {
  it('has few deals open, swaps and bids together, by asking or by agreeing', async () => {
    const [person, other] = [await newcomer(), await createUser(ctx)];
    const first = await ask(person);
    await bid(person);
    await times(OPEN_DEALS_AT_FIRST - 2, () => completeExchange(ctx, other, person));
    await expect(ask(person)).rejects.toMatchObject(refused);
    await expect(bid(person)).rejects.toMatchObject(refused);
    const offered = await createCoupon(ctx, other);
    const asked = await propose(ctx, other, { offered, requested: await createCoupon(ctx, person) });
    await expect(move(ctx, person, asked.id, 'accepted')).rejects.toMatchObject(refused);
    await move(ctx, person, first.id, 'cancelled');
    await move(ctx, person, asked.id, 'accepted');
  });

  it('is established by deals with several people, and not asked again', async () => {
    const person = await newcomer();
    const check = () => inTransaction(ctx.db, (trx) => checkDealLimit(trx, person.id, ctx.clock()));
    for (let i = 0; i < DEALS_TO_ESTABLISH; i += 1) {
      await completeExchange(ctx, person, await createUser(ctx));
      claimsAreOver();
    }
    await check();
    const row = ctx.db.selectFrom('users').select('establishedAt').where('id', '=', person.id);
    expect(await row.executeTakeFirstOrThrow()).toEqual({ establishedAt: ctx.clock() });
    await times(OPEN_DEALS_AT_FIRST + 1, () => ask(person));
    await expect(check()).resolves.toBeUndefined();
  });

  it('has more once the first has gone well, and as many as they like after deals with several people', async () => {
    const person = await newcomer();
    // Several deals with one other person are worth as much as one.
    const other = await createUser(ctx);
    await times(OPEN_DEALS_AT_FIRST, () => completeExchange(ctx, person, other));
    await expect(ask(person)).rejects.toMatchObject(refused);
    claimsAreOver();
    await times(OPEN_DEALS_AFTER_FIRST, () => ask(person));
    await expect(ask(person)).rejects.toMatchObject(refused);

    const busy = await newcomer();
    for (let i = 0; i < DEALS_TO_ESTABLISH; i += 1) {
      await completeExchange(ctx, busy, await createUser(ctx));
      claimsAreOver();
    }
    await times(OPEN_DEALS_AFTER_FIRST + 1, () => ask(busy));
  });

  it('has no more by deals with an account that was used in the same browser', async () => {
    const [person, other] = [await newcomer(), await createUser(ctx)];
    await completeExchange(ctx, person, other);
    const [lowerId, higherId] = [person.id, other.id].sort((one, two) => one - two) as [number, number];
    await ctx.db.insertInto('uncountedPairs').values({ lowerId, higherId }).execute();
    claimsAreOver();
    await times(OPEN_DEALS_AT_FIRST, () => ask(person));
    await expect(ask(person)).rejects.toMatchObject(refused);
  });

  it('has as few as before while a claim about the first is open, and after it was upheld', async () => {
    const [person, other] = [await newcomer(), await createUser(ctx)];
    const claimId = await insertLegClaim(ctx, other, person);
    claimsAreOver();
    await times(OPEN_DEALS_AT_FIRST - 1, () => ask(person));
    await expect(ask(person)).rejects.toMatchObject(refused);
    const judge = actingAs(ctx, await createUser(ctx, { role: 'moderator' }));
    await decideLegClaim(judge, { id: claimId, decision: 'upheld', note: 'It was used.' });
    await ask(person);
    await expect(ask(person)).rejects.toMatchObject(refused);
  });

  it('has no more by asking at the same moment', async () => {
    const person = await newcomer();
    const asking = Array.from({ length: OPEN_DEALS_AT_FIRST + 3 }, () => ask(person));
    const answers = await Promise.allSettled(asking);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(OPEN_DEALS_AT_FIRST);
  });
});

describe('one coupon', () => {
  it('stands in a handful of open offers at a time, whether asked for anew or by a change', async () => {
    const person = await createUser(ctx);
    const offered = await createCoupon(ctx, person);
    const requested = async () => createCoupon(ctx, await createUser(ctx));
    const offer = async () => propose(ctx, person, { offered, requested: await requested() });
    await times(OFFERS_OF_COUPON - 1, offer);
    const last = await offer();
    const crowded = { code: 'conflict', issues: [{ path: 'offeredCouponId', message: expect.any(String) }] };
    await expect(offer()).rejects.toMatchObject(crowded);
    const other = await ask(person);
    const change = { id: other.id, offeredCouponId: offered.id };
    await expect(reviseExchange(actingAs(ctx, person), change)).rejects.toMatchObject(crowded);
    await move(ctx, person, last.id, 'cancelled');
    await offer();
  });
});
