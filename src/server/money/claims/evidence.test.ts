import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ANSWER_HOURS, CLAIM_HOURS, CLAIM_PICTURE_DAYS } from '#contract/money/claims.ts';
import type { Actor } from '#server/context/context.ts';
import { attachImage, cleanUpImages, readImage } from '#server/coupons/images/images.ts';
import { inTransaction } from '#server/database/client.ts';
import { protectionOf } from '#server/money/claims/protection.ts';
import { decideClaim, openClaim } from '#server/money/claims/sale-claims.ts';
import { deleteAccount } from '#server/oversight/moderation/leaving.ts';
import { actingAs, createUser, setUpContext, TEST_PASSWORD } from '#tests/support/builders.ts';
import { createRing, move } from '#tests/support/exchanges.ts';
import { insertImage } from '#tests/support/images.ts';
import { plainPicture } from '#tests/support/pictures.ts';
import { insertHeldSale } from '#tests/support/sales.ts';
import { answerClaim, listClaims } from './claims.ts';
import { discardOldEvidence, readEvidence, uploadEvidence } from './evidence.ts';
import { claimsOfExchange, decideLegClaim, openLegClaim, withdrawLegClaim } from './leg-claims.ts';

const ctx = setUpContext();
const REASON = 'The till says that it was used in May.';
let moderator: Actor;
let admin: Actor;
let ring: Awaited<ReturnType<typeof createRing>>;
/** Of the claimant and the giver. */
let urls: { claimant: string; giver: string };
let people: Record<'claimant' | 'giver' | 'third' | 'stranger', Actor>;

const idOf = (url: string) => url.split('/').at(-1) ?? '';
const evidence = async (who: Actor) => (await insertImage(ctx, who, { kind: 'evidence' })).url;
const claim = (pictures: string[], who = people.claimant) =>
  openLegClaim(actingAs(ctx, who), {
    exchangeId: ring.id,
    couponId: ring.author.coupon.id,
    reason: REASON,
    pictures,
  });
const claimId = async () =>
  (await listClaims(actingAs(ctx, moderator), { onlyOpen: false, page: 1, limit: 1 })).items[0]?.id ?? 0;
const looks = (url: string, who: Actor) => readEvidence(actingAs(ctx, who), idOf(url));
/** Who of all can fetch a picture. */
async function seers(url: string): Promise<string[]> {
  const all = Object.entries({ ...people, moderator, admin });
  const outcomes = await Promise.allSettled(all.map(([, who]) => looks(url, who)));
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'not_found' });
  return all.filter((_, index) => outcomes[index]?.status === 'fulfilled').map(([name]) => name);
}
/** What the answers tell somebody of. */
async function told(who: Actor) {
  const [leg] = (await claimsOfExchange(actingAs(ctx, who), ring.id)).filter((one) => one.claim !== null);
  return leg?.claim && { claimant: leg.claim.claimantPictures, giver: leg.claim.giverPictures };
}

beforeAll(async () => {
  moderator = await createUser(ctx, { role: 'moderator' });
  admin = await createUser(ctx, { role: 'admin' });
});
beforeEach(async () => {
  ring = await createRing(ctx, { consents: 2 });
  await move(ctx, ring.author.actor, ring.id, 'completed');
  people = {
    claimant: ring.second.actor,
    giver: ring.author.actor,
    third: ring.third.actor,
    stranger: await createUser(ctx),
  };
  urls = { claimant: await evidence(people.claimant), giver: await evidence(people.giver) };
});

/** A claim with a picture of each side. */
async function openAndAnswer(): Promise<number> {
  await claim([urls.claimant]);
  const id = await claimId();
  await answerClaim(actingAs(ctx, people.giver), { id, answer: 'It worked for me.', pictures: [urls.giver] });
  return id;
}

describe('a picture of a claim', () => {
  it('is for its uploader alone before it is sent', async () => {
    expect(await seers(urls.claimant)).toEqual(['claimant']);
  });

  it('is for both sides and moderators while the claim is open, then for its own side and moderators [decisions 3.15.33]', async () => {
    const id = await openAndAnswer();
    for (const url of Object.values(urls))
      expect(await seers(url)).toEqual(['claimant', 'giver', 'moderator', 'admin']);
    const both = { claimant: [urls.claimant], giver: [urls.giver] };
    for (const who of [people.claimant, people.giver]) expect(await told(who)).toEqual(both);
    expect(await told(people.third)).toBeUndefined();

    const note = 'The shop confirms it.';
    await decideLegClaim(actingAs(ctx, moderator), { id, decision: 'upheld', note });
    expect(await seers(urls.claimant)).toEqual(['claimant', 'moderator', 'admin']);
    expect(await seers(urls.giver)).toEqual(['giver', 'moderator', 'admin']);
    expect(await told(people.claimant)).toEqual({ claimant: [urls.claimant], giver: [] });
    expect(await told(people.giver)).toEqual({ claimant: [], giver: [urls.giver] });
  });

  it('is for a moderator who takes part what it is for a party', async () => {
    const id = await openAndAnswer();
    await withdrawLegClaim(actingAs(ctx, people.claimant), id);
    const giver = { ...people.giver, role: 'moderator' as const };
    await expect(looks(urls.claimant, giver)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is recorded when a moderator looks at it, not when a party does', async () => {
    await openAndAnswer();
    for (const who of [moderator, people.giver]) await looks(urls.claimant, who);
    const lines = await ctx.db
      .selectFrom('auditLog')
      .select(['actorId', 'targetUserId'])
      .where('action', '=', 'claim_picture_seen')
      .where('targetUserId', '=', people.claimant.id)
      .execute();
    expect(lines).toEqual([{ actorId: moderator.id, targetUserId: people.claimant.id }]);
  });

  it('is taken once, from its uploader, within a day, and never as the picture of a code [decisions 3.15.33]', async () => {
    const gone = { code: 'bad_input', issues: [expect.objectContaining({ path: 'pictures' })] };
    const code = (await insertImage(ctx, people.claimant)).url.replace('images', 'evidence');
    for (const wrong of [urls.giver, code]) await expect(claim([wrong])).rejects.toMatchObject(gone);
    await expect(claim([urls.claimant, urls.claimant])).rejects.toMatchObject(gone);
    ctx.clock.advanceDays(1);
    await expect(looks(urls.claimant, people.claimant)).rejects.toMatchObject({ code: 'not_found' });
    await expect(claim([urls.claimant])).rejects.toMatchObject(gone);
    const fresh = await evidence(people.claimant);
    await expect(readImage(actingAs(ctx, people.claimant), idOf(fresh))).rejects.toMatchObject({
      code: 'not_found',
    });
    const asCode = inTransaction(ctx.db, (trx) =>
      attachImage(trx, ctx.vault, {
        couponId: ring.author.coupon.id,
        kind: 'qrcode',
        url: fresh.replace('evidence', 'images'),
        userId: people.claimant.id,
        at: ctx.clock(),
      }),
    );
    await expect(asCode).rejects.toMatchObject({ code: 'bad_input' });
  });

  it('is kept until 30 days after the end of the claim, then deleted with its file', async () => {
    const id = await openAndAnswer();
    const cleanUp = async () => {
      await discardOldEvidence(ctx);
      await cleanUpImages(ctx);
    };
    ctx.clock.advanceDays(90);
    await cleanUp();
    expect(await seers(urls.claimant)).toContain('claimant');
    await withdrawLegClaim(actingAs(ctx, people.claimant), id);
    ctx.clock.advanceDays(CLAIM_PICTURE_DAYS - 1);
    await cleanUp();
    expect(await seers(urls.claimant)).toContain('claimant');
    ctx.clock.advanceDays(1);
    await cleanUp();
    expect(await seers(urls.claimant)).toEqual([]);
    expect(await told(people.claimant)).toEqual({ claimant: [], giver: [] });
    expect(await ctx.providers.storage.get(idOf(urls.claimant))).toBeNull();
  });

  it('goes with its uploader’s account', async () => {
    const id = await openAndAnswer();
    await withdrawLegClaim(actingAs(ctx, people.claimant), id);
    // The other side can no longer claim.
    ctx.clock.advanceDays(CLAIM_HOURS / 24);
    await deleteAccount(actingAs(ctx, people.claimant), { confirmPassword: TEST_PASSWORD });
    expect(await seers(urls.claimant)).toEqual([]);
    expect(await seers(urls.giver)).toEqual(['giver', 'moderator', 'admin']);
  });

  it('belongs to claims about sales, too', async () => {
    const [buyer, seller] = [people.claimant, people.giver];
    const { bidId } = await insertHeldSale(ctx, buyer, seller);
    const given = { bidId, reason: REASON, pictures: [urls.claimant] };
    expect((await openClaim(actingAs(ctx, buyer), given)).claim?.claimantPictures).toEqual([urls.claimant]);
    expect((await protectionOf(actingAs(ctx, seller), bidId)).claim?.claimantPictures).toEqual([
      urls.claimant,
    ]);
    expect(await seers(urls.claimant)).toEqual(['claimant', 'giver', 'moderator', 'admin']);
    ctx.clock.advanceDays(ANSWER_HOURS / 24);
    const decided = await decideClaim(actingAs(ctx, moderator), {
      id: await claimId(),
      decision: 'release',
      note: 'It works.',
    });
    expect(decided.claimantPictures).toEqual([urls.claimant]);
    expect((await protectionOf(actingAs(ctx, seller), bidId)).claim?.claimantPictures).toEqual([]);
  });

  it('is stored sealed', async () => {
    const { url } = await uploadEvidence(actingAs(ctx, people.claimant), await plainPicture());
    const stored = await ctx.providers.storage.get(idOf(url));
    const { bytes } = await looks(url, people.claimant);
    expect(stored?.includes(bytes)).toBe(false);
    expect(await seers(url)).toEqual(['claimant']);
  });
});
