import { afterEach, describe, expect, it } from 'vitest';
import { lapseDeadlines } from '#server/domains/deals/endings.ts';
import { setUserStatus } from '#server/domains/moderation/status.ts';
import { bidOn, moveBid } from '#server/testing/bids.ts';
import { actingAs, createUser } from '#server/testing/builders.ts';
import { counter, move, propose, richPeople } from '#server/testing/exchanges.ts';
import {
  expectSoundBooks,
  itInRounds,
  loserOf,
  race,
  refusalOf,
  setUpRaces,
  statusOf,
} from '#server/testing/races.ts';

const races = setUpRaces();
const { ctx, admin } = races;

/** A swap that its owner can answer with a counter-offer. */
async function answerable() {
  const people = await richPeople(ctx);
  const { requester, owner, offered, alsoOffered, requested } = people;
  const { id } = await propose(ctx, requester, people);
  const answer = () => counter(ctx, owner, id, { offered: [requested], requested: [offered, alsoOffered] });
  return { ...people, id, answer };
}

describe('of a counter-offer and another act at once, one wins and the other gets the true state', () => {
  afterEach(() => expectSoundBooks(ctx));

  itInRounds('acceptance of what it answers', async (round) => {
    const { id, owner, answer } = await answerable();
    const results = await race(round, answer, () => move(ctx, owner, id, 'accepted'));
    const status = await statusOf(ctx, 'exchanges', id);
    expect(loserOf(...results).message).toBe(`This exchange is already ${status}.`);
  });

  itInRounds('withdrawal of what it answers', async (round) => {
    const { id, requester, answer } = await answerable();
    const results = await race(round, answer, () => move(ctx, requester, id, 'cancelled'));
    expect(loserOf(...results).message).toBe('This exchange is already cancelled.');
  });

  itInRounds('another counter-offer', async (round) => {
    const { owner, id, offered, alsoRequested, answer } = await answerable();
    const other = () => counter(ctx, owner, id, { offered: [alsoRequested], requested: [offered] });
    expect(loserOf(...(await race(round, answer, other))).message).toBe(
      'This exchange is already cancelled.',
    );
  });

  itInRounds('acceptance of a bid on one of its coupons', async (round) => {
    const { id, owner, requested, answer } = await answerable();
    const bid = await bidOn(ctx, await createUser(ctx), requested);
    const [answered, accepted] = await race(round, answer, () => moveBid(ctx, owner, bid.id, 'accepted'));
    // A pending proposal holds nothing, so the bid is accepted either way.
    expect(accepted.status).toBe('fulfilled');
    if (answered.status === 'rejected') expect(refusalOf(answered).code).toBe('coupon_reserved');
    expect(await statusOf(ctx, 'exchanges', id)).toBe(
      answered.status === 'rejected' ? 'pending' : 'cancelled',
    );
  });

  itInRounds('the deadline of what it answers', async (round) => {
    const { id, answer } = await answerable();
    ctx.clock.advanceDays(14);
    const [answered, lapsed] = await race(round, answer, () => lapseDeadlines(ctx));
    expect(lapsed.status).toBe('fulfilled');
    if (answered.status === 'rejected') {
      expect(refusalOf(answered).message).toBe('This exchange is already cancelled.');
    }
    expect(await statusOf(ctx, 'exchanges', id)).toBe('cancelled');
  });

  itInRounds('the ban of whoever is to get it', async (round) => {
    const { requester, answer } = await answerable();
    const [answered, banned] = await race(round, answer, () =>
      setUserStatus(actingAs(ctx, admin), {
        id: requester.id,
        status: 'banned',
        reason: 'Three people complained.',
      }),
    );
    if (banned.status === 'rejected') throw banned.reason;
    if (answered.status === 'rejected') refusalOf(answered);
  });
});

it('met no deadlock, not even one that a retry solved', () => races.expectNoDeadlock());
