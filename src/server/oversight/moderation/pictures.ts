import { t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import { quote } from '#contract/base/words.ts';
import type { RemovePictureInput } from '#contract/oversight/moderation.ts';
import { pictureIdOf } from '#contract/people/picture-addresses.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { forbidFeedPicture, takePictureDown } from '#server/coupons/publishing/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { announce } from '#server/database/live.ts';
import { cancelPendingDeals } from '#server/deals/lifecycle/service.ts';
import { takeProfilePictureDown } from '#server/people/accounts/service.ts';
import { refuseOwnCase } from '#server/people/audit/own-cases-sql.ts';
import { audit } from '#server/people/audit/service.ts';
import { notify } from '#server/people/notifications/service.ts';
import { discardPicture, sourceOfPicture } from '#server/people/pictures/service.ts';
import { PICTURE_TEXTS } from '#server/texts/oversight.ts';
import { judgeRemoval } from './rules.ts';
import { lockPerson } from './store.ts';

/**
 * A moderator removes the picture of a coupon or a person, which cancels the pending deals on the coupon. Its owner is
 * told the reason. A picture from a feed goes off all coupons that show it, also off those of moderators, and does not
 * come back.
 * @throws AppError not_found if nothing shows the picture, forbidden (one's own; a moderator's or an admin's, see
 *   `judgeRemoval`)
 */
export async function removePicture(ctx: MemberContext, { url, reason }: RemovePictureInput): Promise<void> {
  const at = ctx.clock();
  const id = pictureIdOf(url);
  await inTransaction(ctx.db, async (trx) => {
    const source = await sourceOfPicture(trx, id);
    if (source !== null) await forbidFeedPicture(trx, { url: source, at });
    const shown = await takeDown(trx, { pictureId: id, at, actorId: ctx.actor.id });
    if (shown.length === 0) throw notFound(t`Picture not found`);
    for (const { userId, coupon, link } of shown) {
      const owner = await lockPerson(trx, userId);
      if (!owner) throw notFound(t`Person not found`);
      if (source === null)
        refuseOwnCase(ctx.actor.id, [userId], t`This picture is yours: change it where you uploaded it.`);
      const objection = source === null ? judgeRemoval(ctx.actor, owner) : null;
      if (objection) throw new AppError(objection.code, objection.text);
      await audit(trx, ctx, {
        actorId: ctx.actor.id,
        action: 'picture_removed',
        details: `${coupon === null ? 'the profile picture' : `the picture of ${quote(coupon)}`} of ${owner.username}. ${reason}`,
        targetUserId: userId,
        at,
      });
      const { subject, text } = PICTURE_TEXTS[source === null ? 'own' : 'fromFeed'];
      await notify(trx, {
        userId,
        relatedId: null,
        link,
        at,
        type: 'other',
        content: text({ coupon, reason }),
        mailSubject: subject(),
      });
      await announce(trx, [{ userId, event: { kind: 'account' } }]);
    }
    await discardPicture(trx, id, at);
  });
}

/** Removes a picture from the profile or coupons that show it. @returns those, in the order of their owners */
async function takeDown(trx: Trx, given: { pictureId: string; at: Date; actorId: number }) {
  const { at, actorId } = given;
  const coupons = await takePictureDown(trx, given);
  if (coupons.length > 0) {
    const couponIds = coupons.map(({ id }) => id);
    await cancelPendingDeals(trx, { couponIds, reason: 'coupon_changed', at, actorId });
    return coupons.map(({ id, ownerId, title }) => ({
      userId: ownerId,
      coupon: title,
      link: paths.coupon(id),
    }));
  }
  const userId = await takeProfilePictureDown(trx, given.pictureId, at);
  return userId === null ? [] : [{ userId, coupon: null, link: paths.settings('profile') }];
}
