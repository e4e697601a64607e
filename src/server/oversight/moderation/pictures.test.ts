import { beforeAll, describe, expect, it } from 'vitest';
import { createReportInputSchema } from '#contract/oversight/moderation.ts';
import { pictureIdOf, pictureSources, pictureUrl } from '#contract/people/picture-addresses.ts';
import type { Actor } from '#server/context/context.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { takeFeedPictures } from '#server/coupons/publishing/feed-pictures.ts';
import { importCoupon } from '#server/coupons/publishing/importing.ts';
import { bidById } from '#server/deals/bids/service.ts';
import { exchangeById } from '#server/deals/exchanges/service.ts';
import { currentUser } from '#server/people/accounts/accounts.ts';
import { updateProfile } from '#server/people/accounts/profile.ts';
import { listAudit } from '#server/people/audit/service.ts';
import { readPicture } from '#server/people/pictures/service.ts';
import { bidOn, moveBid } from '#tests/support/bids.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { noticesOf, propose } from '#tests/support/exchanges.ts';
import { aFeedOffer } from '#tests/support/feeds.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { plainPicture, uploadPlainPicture } from '#tests/support/pictures.ts';
import { removePicture } from './pictures.ts';
import { listReports, reportPerson } from './reports.ts';

const ctx = setUpContext();
const PAGE = { page: 1, limit: 50 };
const REASON = 'It shows somebody else.';
let moderator: Actor;
let admin: Actor;
beforeAll(async () => {
  moderator = await createUser(ctx, { role: 'moderator' });
  admin = await createUser(ctx, { role: 'admin' });
});

/** A person with a profile picture. */
async function shown(given: Parameters<typeof createUser>[1] = {}) {
  const who = await createUser(ctx, given);
  const profileImageUrl = await uploadPlainPicture(actingAs(ctx, who), 'profile');
  const { email } = await currentUser(actingAs(ctx, who));
  await updateProfile(actingAs(ctx, who), {
    email,
    bio: null,
    profileImageUrl,
    preferredCurrency: 'CAD',
    country: 'CA',
  });
  return { who, url: profileImageUrl };
}

async function withCoupon() {
  const who = await createUser(ctx);
  const url = await uploadPlainPicture(actingAs(ctx, who));
  const coupon = await createCoupon(ctx, who, { title: 'Two loaves', pictureId: pictureIdOf(url) });
  return { who, url, coupon };
}

const remove = (judge: Actor, url: string) => removePicture(actingAs(ctx, judge), { url, reason: REASON });
const file = (url: string) =>
  readPicture(ctx, { id: pictureIdOf(url), width: pictureSources(url)?.width ?? 0, format: 'webp' });
const notFound = { code: 'not_found' };

describe('a moderator', () => {
  it('removes the picture of a coupon; its owner is told why, and the audit log keeps it', async () => {
    const { who, url, coupon } = await withCoupon();
    await remove(moderator, url);
    expect(await couponById(ctx, coupon.id)).toMatchObject({ imageUrl: null });
    await expect(file(url)).rejects.toMatchObject(notFound);
    expect((await noticesOf(ctx, who)).at(-1)).toMatchObject({
      content: `A moderator removed the picture of your “Two loaves”. Reason: “${REASON}”`,
      link: `/coupons/${coupon.id}`,
    });
    const { items } = await listAudit(actingAs(ctx, admin), PAGE);
    expect(items[0]).toMatchObject({
      username: moderator.username,
      action: 'picture_removed',
      details: `the picture of “Two loaves” of ${who.username}. ${REASON}`,
      targetUserId: who.id,
    });
  });

  it('ends the pending deals on the coupon, as an edit by its owner does, and leaves an accepted one alone', async () => {
    const { who, url, coupon } = await withCoupon();
    const bidder = await createUser(ctx);
    const { id: bidId } = await bidOn(ctx, bidder, coupon);
    const requester = await createUser(ctx);
    const offered = await createCoupon(ctx, requester);
    const { id } = await propose(ctx, requester, { offered, requested: coupon });
    await remove(moderator, url);
    const ended = { status: 'cancelled', reason: 'coupon_changed' };
    expect(await bidById(actingAs(ctx, bidder), bidId)).toMatchObject(ended);
    expect(await exchangeById(actingAs(ctx, requester), id)).toMatchObject(ended);
    expect((await noticesOf(ctx, bidder)).at(-1)?.content).toMatch(
      /was cancelled: the coupon was changed\.$/,
    );

    const again = await uploadPlainPicture(actingAs(ctx, who));
    const pictureId = pictureIdOf(again);
    await ctx.db.updateTable('coupons').set({ pictureId }).where('id', '=', coupon.id).execute();
    const sold = await bidOn(ctx, bidder, coupon);
    await moveBid(ctx, who, sold.id, 'accepted');
    await remove(moderator, again);
    expect(await bidById(actingAs(ctx, bidder), sold.id)).toMatchObject({ status: 'accepted' });
    expect(await checkInvariants(ctx.db)).toEqual([]);
  });

  it("removes a feed's picture from all coupons that show it, also colleagues' and own ones, and it never comes back", async () => {
    const imageUrl = 'https://pictures.example/bread.png';
    const fetched: string[] = [];
    let meanwhile: (() => Promise<void>) | null = null;
    const fetch = async (address: string) => {
      fetched.push(address);
      await meanwhile?.();
      return plainPicture();
    };
    const take = () =>
      takeFeedPictures(
        { ...ctx, providers: { ...ctx.providers, feedPictures: { fetch } } },
        new AbortController().signal,
      );
    const importAs = async (who: Actor) =>
      (await importCoupon(actingAs(ctx, who), aFeedOffer({ imageUrl }))).id;
    const shown = async (ids: number[]) => {
      const rows = ctx.db.selectFrom('coupons').select('pictureId').where('id', 'in', ids).orderBy('id');
      return (await rows.execute()).map(({ pictureId }) => pictureId && pictureUrl(pictureId));
    };
    const people = [await createUser(ctx), admin, moderator];
    const ids = await Promise.all(people.map(importAs));
    await take();
    const [url] = await shown(ids);
    // A week later it is fetched again, for a new coupon.
    ctx.clock.advanceDays(8);
    ids.push(await importAs(await createUser(ctx)));
    meanwhile = () => remove(moderator, url ?? '');
    await take();
    expect(await shown(ids)).toEqual([null, null, null, null]);
    for (const who of people) {
      expect((await noticesOf(ctx, who)).at(-1)?.content).toBe(
        `A moderator removed the picture of “Ten off” that came with the public code. Reason: “${REASON}”`,
      );
    }

    ctx.clock.advanceDays(2);
    await take();
    const later = await importAs(await createUser(ctx));
    expect(await take()).toEqual({ taken: 0, givenUp: 0 });
    expect(await shown([later])).toEqual([null]);
    expect(fetched).toEqual([imageUrl, imageUrl]);
  });

  it('removes a profile picture; a second removal finds nothing', async () => {
    const { who, url } = await shown();
    await remove(moderator, url);
    expect(await currentUser(actingAs(ctx, who))).toMatchObject({ profileImageUrl: null });
    await expect(remove(moderator, url)).rejects.toMatchObject(notFound);
    expect((await noticesOf(ctx, who)).map(({ link }) => link)).toEqual(['/profile-settings#profile']);
  });

  it('cannot remove an upload that nothing shows', async () => {
    const who = await createUser(ctx);
    await expect(remove(moderator, await uploadPlainPicture(actingAs(ctx, who)))).rejects.toMatchObject(
      notFound,
    );
  });

  it('cannot remove the picture of another moderator or an own one; an admin can remove the former', async () => {
    const { who, url } = await shown({ role: 'moderator' });
    for (const judge of [moderator, who])
      await expect(remove(judge, url)).rejects.toMatchObject({ code: 'forbidden' });
    expect((await file(url)).bytes.length).toBeGreaterThan(0);
    await remove(admin, url);
    await expect(file(url)).rejects.toMatchObject(notFound);
  });
});

describe('a report', () => {
  const report = async (reporter: Actor, reportedUserId: number, pictureUrl: string) =>
    reportPerson(
      actingAs(ctx, reporter),
      createReportInputSchema.parse({
        reportedUserId,
        pictureUrl,
        description: 'This is not their picture.',
      }),
    );
  const latest = async () =>
    (await listReports(actingAs(ctx, moderator), { status: 'pending', ...PAGE })).items[0];

  it('names a picture of the person or of their coupon, which moderators see until it is gone', async () => {
    const reporter = await createUser(ctx);
    for (const { who, url } of [await shown(), await withCoupon()]) {
      await report(reporter, who.id, url);
      expect(await latest()).toMatchObject({ pictureUrl: url, isPictureGone: false });
      await remove(moderator, url);
      expect(await latest()).toMatchObject({ pictureUrl: url, isPictureGone: true });
    }
  });

  it('cannot name the picture of somebody else', async () => {
    const reporter = await createUser(ctx);
    const [{ url }, other] = [await shown(), await createUser(ctx)];
    await expect(report(reporter, other.id, url)).rejects.toMatchObject({
      code: 'bad_input',
      issues: [{ path: 'pictureUrl' }],
    });
  });
});
