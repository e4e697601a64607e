import { t } from '@lingui/core/macro';
import type { ClaimCase, PersonRecord } from '#contract/oversight/cases.ts';
import type { MemberContext } from '#server/context/context.ts';
import { notFound } from '#server/core/errors.ts';
import { findClaimToDecide } from '#server/money/claims/service.ts';
import { scoresOf } from '#server/oversight/leaderboard/service.ts';
import { refuseOwnCase } from '#server/people/audit/own-cases-sql.ts';
import { shownNote } from '#server/texts/claim-notes.ts';
import { read } from '#server/texts/reading.ts';
import * as store from './cases-store.ts';

/**
 * What moderators read of a person, also of one who is banned or has left.
 * @throws AppError not_found, forbidden (the caller's own record)
 */
export async function personRecord(ctx: MemberContext, id: number): Promise<PersonRecord> {
  const { db, actor } = ctx;
  refuseOwnCase(actor.id, [id], t`This is your own record: only other moderators can read it.`);
  const [person, reputations, claims, reports, statusChanges] = await Promise.all([
    store.findPerson(db, id),
    scoresOf(db, [id], ctx.clock()),
    store.listClaimsOf(db, id, actor.id),
    store.listReportsOn(db, id, actor.id),
    store.listStatusChanges(db, id),
  ]);
  if (!person) throw notFound(t`Person not found`);
  const reputation = reputations.get(id);
  return {
    ...person,
    createdAt: person.createdAt.toISOString(),
    exchanges: reputation?.successfulExchanges ?? 0,
    sales: reputation?.acceptedBids ?? 0,
    averageRating: reputation?.averageRating ?? null,
    ratingCount: reputation?.ratingCount ?? 0,
    claims: claims.map((claim) => dated({ ...claim, note: shownNote(claim.note) })),
    reports: reports.map(dated),
    statusChanges: statusChanges.map(dated),
  };
}

/**
 * What a moderator reads before deciding a claim: both people, the deal, who saw the code when, where the coupon is, and how claims about the
 * same merchant were decided.
 * @throws AppError not_found, forbidden (a claim of the caller's own)
 */
export async function claimCase(ctx: MemberContext, id: number): Promise<ClaimCase> {
  const { claimantId, giverId } = await findClaimToDecide(ctx, id);
  const subject = await store.findSubject(ctx.db, id);
  if (!subject) throw notFound(t`Claim not found`);
  const { ownerUsername, usedAt } = subject;
  const [claimant, giver, events, reveals, seenBy, similar] = await Promise.all([
    personRecord(ctx, claimantId),
    personRecord(ctx, giverId),
    store.listEvents(ctx.db, subject, claimantId),
    store.listReveals(ctx.db, subject, [claimantId, giverId]),
    store.listOtherViewers(ctx.db, subject, [claimantId, giverId]),
    store.listSimilar(ctx.db, subject, { claimId: id, judgeId: ctx.actor.id }),
  ]);
  return {
    claimant,
    giver,
    events: events.map(({ text, ...event }) => dated({ ...event, details: read(ctx, text, event.details) })),
    reveals: reveals.map((reveal) => ({ ...reveal, revealedAt: reveal.revealedAt.toISOString() })),
    coupon: { ownerUsername, isUsed: usedAt !== null, seenBy },
    similar: similar.map((claim) => ({
      ...claim,
      note: shownNote(claim.note),
      decidedAt: claim.decidedAt?.toISOString() ?? null,
    })),
  };
}

const dated = <Row extends { readonly createdAt: Date }>(row: Row) => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
});
