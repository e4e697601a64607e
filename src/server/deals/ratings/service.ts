import { t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import type { Page } from '#contract/base/primitives.ts';
import type { DealType } from '#contract/deals/deals.ts';
import {
  type CreateRatingInput,
  type DealRatings,
  type DealRatingsInput,
  type ListRatingsInput,
  RATING_HIDDEN_DAYS,
  type Rating,
} from '#contract/deals/ratings.ts';
import { pictureUrl } from '#contract/people/picture-addresses.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { type Database, inTransaction, refuseDuplicate, type Trx } from '#server/database/client.ts';
import { stateText } from '#server/deals/lifecycle/service.ts';
import { checkConfirmed } from '#server/people/accounts/service.ts';
import { notifyParties } from '#server/people/notifications/service.ts';
import { RATING_TEXTS } from '#server/texts/deals.ts';
import { isRatable, type Party, pairOf, type RatableDeal, undoneText } from './rules.ts';
import * as store from './store.ts';

/**
 * Rates the other side of a completed deal, once; in a ring each of those whom one gave to or got from. Ratings are
 * hidden until both sides have rated or seven days have passed (decisions 5.5); the rated person learns only that there is
 * one. A refunded sale takes no new ratings but keeps old ones, so that a seller cannot buy a rating off with a refund.
 * @throws AppError not_found (strangers too), deal_changed (not completed, or refunded), conflict (rated already)
 */
export async function createRating(ctx: MemberContext, input: CreateRatingInput): Promise<Rating> {
  checkConfirmed(ctx);
  const { dealType: type, dealId: id, otherId, rating, comment } = input;
  return inTransaction(ctx.db, async (trx) => {
    await store.lockDeal(trx, type, id);
    const { deal, own, other, pair } = await findOwn(trx, { type, id, otherId }, ctx.actor.id);
    if (deal.isUndone) throw new AppError('deal_changed', undoneText());
    if (!isRatable(deal)) {
      const state = stateText(type, deal.status);
      throw new AppError('deal_changed', `${state} ${t`You can rate only completed deals.`}`);
    }
    const at = ctx.clock();
    await refuseDuplicate(
      store.insertRating(trx, {
        raterId: own.id,
        ratedUserId: other.id,
        rating,
        comment,
        relatedEntityType: type,
        relatedEntityId: id,
        isVerified: true,
        visibleAt: addDays(at, RATING_HIDDEN_DAYS),
        createdAt: at,
        updatedAt: at,
      }),
      'user_ratings_once',
      (cause) => new AppError('conflict', t`You have already rated this deal`, { cause }),
    );
    const isOtherSideIn = (await store.ratingsOfDeal(trx, pair)).length === 2;
    if (isOtherSideIn) await store.showRatings(trx, pair, at);
    await notifyOfRating(trx, { deal, own, other, isVisible: isOtherSideIn, at });
    // Locks people, so it comes last.
    if (isOtherSideIn)
      await store.putTotals(trx, await store.claimUncounted(trx, { at, limit: 2, pair }), at);
    return toRating(await ownRating(trx, pair, own.id), own.id, at);
  });
}

/**
 * The visible ratings of a person, latest first.
 * @throws AppError not_found when the person does not exist, is banned or has left; bad_input on `page` beyond the
 *   counted rows
 */
export async function listRatingsOf(
  ctx: Context,
  { id, ...paging }: ListRatingsInput,
): Promise<Page<Rating>> {
  if (!(await store.hasPublicPage(ctx.db, id))) throw notFound(t`User not found`);
  const at = ctx.clock();
  const { rows, ...page } = await store.listVisible(ctx.db, id, at, paging);
  return { items: rows.map((row) => toRating(row, null, at)), ...page };
}

/** The ratings of the caller's deal. @throws AppError not_found, for strangers too */
export async function ratingsOfDeal(
  ctx: MemberContext,
  { dealType: type, dealId: id, otherId }: DealRatingsInput,
): Promise<DealRatings> {
  const { deal, own, other, pair } = await findOwn(ctx.db, { type, id, otherId }, ctx.actor.id);
  const at = ctx.clock();
  const rows = await store.ratingsOfDeal(ctx.db, pair);
  const mine = rows.find(({ raterId }) => raterId === own.id);
  const theirs = rows.find(({ raterId }) => raterId === other.id);
  return {
    canRate: isRatable(deal) && !mine,
    otherId: other.id,
    otherUsername: other.username,
    mine: mine ? toRating(mine, own.id, at) : null,
    theirs: theirs && isVisible(theirs, at) ? toRating(theirs, own.id, at) : null,
  };
}

const COUNTED_AT_ONCE = 1_000;

/** Counts ratings that have become visible since the last run. @returns how many */
export async function countShownRatings(ctx: Context): Promise<number> {
  let all = 0;
  for (;;) {
    const taken = await inTransaction(ctx.db, async (trx) => {
      const at = ctx.clock();
      const rated = await store.claimUncounted(trx, { at, limit: COUNTED_AT_ONCE });
      await store.putTotals(trx, [...new Set(rated)], at);
      return rated.length;
    });
    all += taken;
    if (taken < COUNTED_AT_ONCE) return all;
  }
}

async function findOwn(
  db: Database | Trx,
  { type, id, otherId }: { type: DealType; id: number; otherId?: number | undefined },
  actorId: number,
): Promise<{ deal: RatableDeal; own: Party; other: Party; pair: store.Pair }> {
  const deal = await store.findDeal(db, type, id);
  const people = deal && pairOf(deal, actorId, otherId);
  if (!deal || !people) throw notFound(type === 'exchange' ? t`Exchange not found` : t`Bid not found`);
  return { deal, ...people, pair: { type, id, userIds: [people.own.id, people.other.id] } };
}

async function ownRating(trx: Trx, pair: store.Pair, raterId: number): Promise<store.RatingRow> {
  const rows = await store.ratingsOfDeal(trx, pair);
  const row = rows.find((rating) => rating.raterId === raterId);
  if (!row) throw new Error('A rating that was just written is gone');
  return row;
}

/** Writes both histories and notifies the rated person, unless they have left. */
async function notifyOfRating(
  trx: Trx,
  given: { deal: RatableDeal; own: Party; other: Party; isVisible: boolean; at: Date },
): Promise<void> {
  const { deal, own, other, at } = given;
  const texts = RATING_TEXTS[deal.type === 'exchange' ? 'exchange' : 'sale'];
  const [rater, rated] = [own.username, other.username];
  const notice = given.isVisible ? texts.visible({ rater }) : texts.hidden({ rater });
  await notifyParties(trx, [
    {
      deal: { dealType: deal.type, dealId: deal.id },
      parties: [
        { userId: own.id, text: texts.rater({ rated }) },
        { userId: other.id, text: texts.rated({ rater }), notice: other.hasLeft ? null : notice },
      ],
      actorId: own.id,
      action: 'updated',
      event: 'rating.received',
      link: paths.profile,
      mailSubject: RATING_TEXTS.subject(),
      at,
    },
  ]);
}

/** Whether others than its writer can see a rating (decisions 5.5). */
function isVisible({ visibleAt }: Pick<store.RatingRow, 'visibleAt'>, at: Date): boolean {
  return visibleAt <= at;
}

/**
 * A rating for a viewer.
 * @param viewerId null for the public
 * @throws AppError not_found while it is hidden, for all but its writer
 */
function toRating(row: store.RatingRow, viewerId: number | null, at: Date): Rating {
  const { visibleAt: _, createdAt, raterPictureId, ...rating } = row;
  if (!isVisible(row, at) && row.raterId !== viewerId) throw notFound(t`Rating not found`);
  return {
    ...rating,
    raterProfileImageUrl: pictureUrl(raterPictureId),
    isVisible: isVisible(row, at),
    createdAt: createdAt.toISOString(),
  };
}
