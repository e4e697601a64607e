import { t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import type { Page } from '#contract/base/primitives.ts';
import type { DealRef } from '#contract/deals/deals.ts';
import {
  type AnswerClaimInput,
  type Claim,
  type ClaimCounts,
  type ListClaimsInput,
  RECORD_DAYS,
} from '#contract/money/claims.ts';
import type { WebhookEvent } from '#contract/people/webhooks.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { type Database, inTransaction, refuseDuplicate, type Trx } from '#server/database/client.ts';
import type { NewClaim } from '#server/deals/lifecycle/claims-store.ts';
import { insertClaim } from '#server/deals/lifecycle/service.ts';
import { listPaymentsOfBids } from '#server/money/payments/service.ts';
import { refuseOwnCase } from '#server/people/audit/own-cases-sql.ts';
import { notifyAll, notifyParties } from '#server/people/notifications/service.ts';
import { CLAIM_TEXTS } from '#server/texts/deals.ts';
import type { StoredText } from '#server/texts/stored.ts';
import { attachEvidence } from './evidence.ts';
import * as records from './records-store.ts';
import * as store from './store.ts';
import { toClaim, toClaimSide } from './view.ts';

/**
 * Claims about sales and exchanges of others, for moderators.
 * @throws AppError bad_input on `page` beyond the counted rows
 */
export async function listClaims(
  ctx: MemberContext,
  { onlyOpen, waitsFor, ...paging }: ListClaimsInput,
): Promise<Page<Claim>> {
  const filter = { judgeId: ctx.actor.id, onlyOpen, waitsFor, at: ctx.clock() };
  const { rows, ...page } = await store.listClaims(ctx.db, filter, paging);
  return { items: await toClaims(ctx, rows), ...page };
}

/** How many open claims of others a moderator can decide now, and how many wait for an answer. */
export async function countClaims(ctx: MemberContext): Promise<ClaimCounts> {
  return store.countOpenClaims(ctx.db, ctx.actor.id, ctx.clock());
}

/** A claim, for a moderator. @throws AppError not_found */
export async function shownClaim(ctx: Context, id: number): Promise<Claim> {
  const [claim] = await toClaims(ctx, [await claimById(ctx.db, id)]);
  if (!claim) throw notFound(t`Claim not found`);
  return claim;
}

async function toClaims({ db, clock }: Context, rows: readonly store.ClaimRow[]): Promise<Claim[]> {
  const bidIds = rows.flatMap(({ bidId }) => bidId ?? []);
  const userIds = [...new Set(rows.flatMap(({ claimantId, giverId }) => [claimantId, giverId]))];
  const [payments, sides] = await Promise.all([
    listPaymentsOfBids(db, bidIds),
    records.listSides(db, userIds, addDays(clock(), -RECORD_DAYS)),
  ]);
  const sideOf = (userId: number) => toClaimSide(sides.find(({ id }) => id === userId));
  return rows.map((row) =>
    toClaim(
      row,
      { claimant: sideOf(row.claimantId), giver: sideOf(row.giverId) },
      payments.find(({ bidId }) => bidId === row.bidId),
    ),
  );
}

/**
 * Stores the giver's word on a claim and notifies the claimant. May be given until the claim is decided.
 * @throws AppError not_found (strangers too), forbidden (the claimant), deal_changed (decided, or answered before),
 *   bad_input (a picture is not theirs or gone)
 */
export async function answerClaim(
  ctx: MemberContext,
  { id, answer, pictures = [] }: AnswerClaimInput,
): Promise<void> {
  const { giverId } = await findClaimOfParty(ctx, id);
  if (giverId !== ctx.actor.id) {
    throw new AppError('forbidden', t`Only the person who gave the coupon can answer a claim about it.`);
  }
  await inTransaction(ctx.db, async (trx) => {
    const at = ctx.clock();
    if (!(await store.answerClaim(trx, id, answer, at))) {
      throw new AppError('deal_changed', t`This claim already has an answer or a decision.`);
    }
    await attachEvidence(trx, { claimId: id, urls: pictures, userId: giverId, at });
    await tellOfClaim(trx, { transition: 'answer', claim: { id }, actorId: ctx.actor.id, at });
  });
}

/** A claim with its people. @throws AppError not_found */
export async function claimById(db: Database | Trx, id: number): Promise<store.ClaimRow> {
  const found = await store.findClaim(db, { id });
  if (!found) throw notFound(t`Claim not found`);
  return found;
}

/** A claim of the caller's, or about what they gave. @throws AppError not_found, for strangers too */
export async function findClaimOfParty(ctx: MemberContext, id: number): Promise<store.ClaimRow> {
  const found = await claimById(ctx.db, id);
  if (![found.claimantId, found.giverId].includes(ctx.actor.id)) throw notFound(t`Claim not found`);
  return found;
}

/** Moderators do not decide claims about deals of their own. @throws AppError not_found, forbidden */
export async function findClaimToDecide(ctx: MemberContext, id: number): Promise<store.ClaimRow> {
  const found = await claimById(ctx.db, id);
  const parties = [found.claimantId, found.giverId];
  refuseOwnCase(ctx.actor.id, parties, t`You are part of this deal: another moderator has to decide.`);
  return found;
}

/**
 * Stores a claim with its pictures, one for each sale and each leg.
 * @throws AppError `second`; bad_input (a picture is not theirs or gone)
 */
export async function addClaim(
  trx: Trx,
  claim: NewClaim & { readonly pictures: readonly string[]; readonly claimantId: number },
  second: (cause: unknown) => AppError,
): Promise<void> {
  const { about, pictures: urls, claimantId: userId, at } = claim;
  const key = 'bidId' in about ? 'claims_bid_id_key' : 'claims_leg_once';
  const claimId = await refuseDuplicate(insertClaim(trx, claim), key, second);
  await attachEvidence(trx, { claimId, urls, userId, at });
}

/** What keeps a party of exchanges from leaving: an open claim, or the time in which one can be made. */
export const obligationsOf = store.findObligations;

/** Why a person cannot leave yet: an open claim or a payment under way; null if nothing. */
export async function moneyUnderWay(trx: Trx, userId: number): Promise<'claim' | 'payment' | null> {
  const { claims, payments } = await store.countUnderWay(trx, userId);
  if (claims > 0) return 'claim';
  return payments > 0 ? 'payment' : null;
}

const CLAIM_EVENTS: Record<keyof typeof CLAIM_TEXTS, WebhookEvent> = {
  open: 'claim.opened',
  answer: 'claim.answered',
  withdraw: 'claim.withdrawn',
  uphold: 'claim.decided',
  upholdPaid: 'claim.decided',
  refuse: 'claim.decided',
};

/** Writes a transition into the histories of claimant and giver. Notifies those who did not act and have not left. */
export async function tellOfClaim(
  trx: Trx,
  given: {
    transition: keyof typeof CLAIM_TEXTS;
    claim: Parameters<typeof store.findClaim>[1];
    /** Null: nobody's act. */
    actorId: number | null;
    at: Date;
  },
): Promise<void> {
  const { transition, actorId, at } = given;
  const claim = await store.findClaim(trx, given.claim);
  if (!claim) throw notFound(t`Claim not found`);
  const texts = CLAIM_TEXTS[transition];
  const facts = {
    claimant: claim.claimantUsername,
    giver: claim.giverUsername,
    coupon: claim.couponTitle,
    note: claim.note ?? '',
  };
  const deal = dealOf(claim);
  const party = (userId: number, text: StoredText, leftAt: Date | null) => ({
    userId,
    text,
    notice: leftAt === null ? text : null,
  });
  const toAnswer =
    transition === 'open' ? paths.answerClaim(deal.dealType, deal.dealId, claim.couponId) : undefined;
  await notifyParties(trx, [
    {
      deal,
      parties: [
        party(claim.claimantId, texts.claimant(facts), claim.claimantLeftAt),
        { ...party(claim.giverId, texts.giver(facts), claim.giverLeftAt), link: toAnswer },
      ],
      actorId,
      action: 'updated',
      event: CLAIM_EVENTS[transition],
      data: { couponIds: [claim.couponId] },
      about: { couponId: claim.couponId },
      mailSubject: texts.subject(),
      at,
    },
  ]);
}

/** Notifies people of a claim who have not left: its sides at its deal, others at the list of claims. */
export async function notifyOfClaim(
  trx: Trx,
  claim: store.ClaimRow,
  userIds: readonly number[],
  { subject, text, at }: { subject: StoredText; text: StoredText; at: Date },
): Promise<void> {
  const { claimantId, giverId, exchangeId, bidId, claimantLeftAt, giverLeftAt } = claim;
  const deal = exchangeId === null ? paths.bid(bidId ?? 0) : paths.exchange(exchangeId);
  const leftAt = new Map([
    [claimantId, claimantLeftAt],
    [giverId, giverLeftAt],
  ]);
  await notifyAll(
    trx,
    userIds
      .filter((userId) => (leftAt.get(userId) ?? null) === null)
      .map((userId) => ({
        ...{ userId, type: 'other', relatedId: null, content: text, mailSubject: subject, at },
        link: leftAt.has(userId) ? deal : paths.claims,
      })),
  );
}

function dealOf({ id, exchangeId, bidId }: store.ClaimRow): DealRef {
  const dealId = exchangeId ?? bidId;
  if (dealId === null) throw new Error(`Claim ${id} is about no deal`);
  return { dealType: exchangeId === null ? 'bid' : 'exchange', dealId };
}
