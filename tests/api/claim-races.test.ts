import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { decideLegClaim, withdrawLegClaim } from '#server/domains/claims/legs.ts';
import { answerClaim } from '#server/domains/claims/service.ts';
import type { Actor } from '#server/domains/context.ts';
import { settleClaimedPrice } from '#server/domains/payments/price-refunds.ts';
import { actingAs, createUser } from '#server/testing/builders.ts';
import { insertLegClaim } from '#server/testing/claims.ts';
import { expectSoundBooks, itInRounds, loserOf, race, setUpRaces } from '#server/testing/races.ts';

const races = setUpRaces();
const { ctx } = races;
let moderators: readonly [Actor, Actor];

beforeAll(async () => {
  const moderator = () => createUser(ctx, { role: 'moderator' });
  moderators = [await moderator(), await moderator()];
});

async function openClaim() {
  const [claimant, giver] = [await createUser(ctx), await createUser(ctx)];
  return { claimant, giver, id: await insertLegClaim(ctx, claimant, giver) };
}
const decide = (moderator: Actor, id: number, decision: 'upheld' | 'refused' = 'upheld') =>
  decideLegClaim(actingAs(ctx, moderator), { id, decision, note: 'So be it.' }, settleClaimedPrice);
const answer = (giver: Actor, id: number) =>
  answerClaim(actingAs(ctx, giver), { id, answer: 'It worked for me.' });

describe('of two acts on a claim at once, one wins and the other is told', () => {
  afterEach(() => expectSoundBooks(ctx));

  itInRounds('the decisions of two moderators', async (round) => {
    const { id, giver } = await openClaim();
    await answer(giver, id);
    const [one, other] = moderators;
    const acts = [() => decide(one, id), () => decide(other, id, 'refused')] as const;
    expect(loserOf(...(await race(round, ...acts))).code).toBe('deal_changed');
  });

  itInRounds('a decision and the withdrawal', async (round) => {
    const { id, claimant, giver } = await openClaim();
    await answer(giver, id);
    const withdraw = () => withdrawLegClaim(actingAs(ctx, claimant), id, settleClaimedPrice);
    const refusal = loserOf(...(await race(round, () => decide(moderators[0], id), withdraw)));
    expect(refusal.code).toBe('deal_changed');
  });

  itInRounds('the answer and the withdrawal', async (round) => {
    const { id, claimant, giver } = await openClaim();
    const withdraw = () => withdrawLegClaim(actingAs(ctx, claimant), id, settleClaimedPrice);
    const results = await race(round, () => answer(giver, id), withdraw);
    // An answer that comes first leaves a claim that can still be withdrawn.
    const failures = results.filter(({ status }) => status === 'rejected');
    expect(failures.length).toBeLessThanOrEqual(1);
    const claim = await ctx.db
      .selectFrom('claims')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(claim.status).toBe('withdrawn');
    expect(claim.answer === null).toBe(failures.length === 1);
  });
});

it('none of them met a deadlock', () => races.expectNoDeadlock());
