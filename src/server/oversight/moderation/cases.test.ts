import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { revealCode } from '#server/coupons/codes/reveals.ts';
import { answerClaim } from '#server/money/claims/claims.ts';
import { decideLegClaim, openLegClaim } from '#server/money/claims/leg-claims.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { createDeal, move, swapAway } from '#tests/support/exchanges.ts';
import { insertHeldSale } from '#tests/support/sales.ts';
import { claimCase, personRecord } from './cases.ts';
import { reportPerson } from './reports.ts';
import { listUsers, setUserStatus } from './status.ts';

const ctx = setUpContext();
let moderator: Actor;
let admin: Actor;
beforeAll(async () => {
  moderator = await createUser(ctx, { role: 'moderator' });
  admin = await createUser(ctx, { role: 'admin' });
});

/** A claim of the requester about the coupon that the owner gave. */
async function aClaim() {
  const deal = await createDeal(ctx, 'accepted');
  await move(ctx, deal.requester, deal.id, 'completed');
  const { code } = await revealCode(actingAs(ctx, deal.requester), deal.requested.id);
  const input = { exchangeId: deal.id, couponId: deal.requested.id, reason: 'The till did not take it.' };
  const legs = await openLegClaim(actingAs(ctx, deal.requester), input);
  const id = legs.find(({ couponId }) => couponId === deal.requested.id)?.claim?.id ?? 0;
  return { ...deal, claimId: id, code };
}

async function decide(id: number, giver: Actor) {
  await answerClaim(actingAs(ctx, giver), { id, answer: 'It worked for me.' });
  await decideLegClaim(actingAs(ctx, moderator), { id, decision: 'upheld', note: 'The shop confirms it.' });
}

describe('the case of a claim', () => {
  it('tells the deal, when the code was seen, and both people, and never the code', async () => {
    const { claimId, requester, owner, code } = await aClaim();
    const found = await claimCase(actingAs(ctx, moderator), claimId);
    expect(found.events.at(0)?.details).toContain('You');
    expect(found.events.at(-1)?.details).toContain('You claimed that the code');
    expect(new Set(found.reveals.map(({ username }) => username))).toEqual(new Set([requester.username]));
    expect(found.claimant).toMatchObject({ id: requester.id, exchanges: 1, failedCodes: 0 });
    expect(found.giver).toMatchObject({ id: owner.id, claims: [{ id: claimId, side: 'giver' }] });
    expect(JSON.stringify(found)).not.toContain(code);
  });

  it('tells where the coupon is, who else has seen its code, and whether it is used', async () => {
    const { claimId, requester, requested } = await aClaim();
    const caseOf = async () => (await claimCase(actingAs(ctx, moderator), claimId)).coupon;
    expect(await caseOf()).toEqual({ ownerUsername: requester.username, isUsed: false, seenBy: [] });
    await swapAway(ctx, requester, requested);
    const { ownerUsername, seenBy } = await caseOf();
    expect(ownerUsername).not.toBe(requester.username);
    expect(seenBy).toEqual([ownerUsername]);
    await ctx.db
      .updateTable('coupons')
      .set({ usedAt: ctx.clock(), isActive: false })
      .where('id', '=', requested.id)
      .execute();
    expect(await caseOf()).toMatchObject({ isUsed: true });
  });

  it('lists decided claims about the same merchant, and no other merchant’s', async () => {
    const [one, other, third] = [await aClaim(), await aClaim(), await aClaim()];
    const merchant = 'Only Here';
    await ctx.db
      .updateTable('coupons')
      .set({ merchant })
      .where('id', 'in', [one.requested.id, other.requested.id])
      .execute();
    for (const { claimId, owner } of [other, third]) await decide(claimId, owner);
    const { similar } = await claimCase(actingAs(ctx, moderator), one.claimId);
    expect(similar).toMatchObject([{ id: other.claimId, status: 'upheld', note: 'The shop confirms it.' }]);
  });
});

describe('the record of a person', () => {
  it('has claims about sales and swaps, reports with their decisions, and changes of status', async () => {
    const { claimId, requester, owner } = await aClaim();
    await decide(claimId, owner);
    await insertHeldSale(ctx, requester, owner, { withClaim: true });
    await reportPerson(actingAs(ctx, requester), {
      reportedUserId: owner.id,
      reason: 'fake_coupon',
      description: 'It was used in May.',
      evidence: null,
      relatedEntityType: null,
      relatedEntityId: null,
      pictureUrl: null,
    });
    await setUserStatus(actingAs(ctx, admin), { id: owner.id, status: 'warned', reason: 'Second time.' });
    expect(await personRecord(actingAs(ctx, moderator), owner.id)).toMatchObject({
      username: owner.username,
      status: 'warned',
      failedCodes: 1,
      claims: [
        { side: 'giver', status: 'open', otherUsername: requester.username },
        { side: 'giver', status: 'upheld', note: 'The shop confirms it.' },
      ],
      reports: [{ reason: 'fake_coupon', status: 'pending', actionTaken: null }],
      statusChanges: [{ username: admin.username, details: expect.stringContaining('Second time.') }],
    });
    const { claims } = await personRecord(actingAs(ctx, moderator), requester.id);
    expect(claims.map(({ side }) => side)).toEqual(['claimant', 'claimant']);
  });
});

it.each([(id: number) => `#${id}`, (id: number) => `https://clipswap.example/coupons/${id}`])(
  'finds whoever has a coupon',
  async (search) => {
    const { requester, requested } = await aClaim();
    const { items } = await listUsers(actingAs(ctx, admin), {
      search: search(requested.id),
      page: 1,
      limit: 20,
    });
    expect(items.map(({ id }) => id)).toEqual([requester.id]);
  },
);
