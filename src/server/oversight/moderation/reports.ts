import { t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import type { Page } from '#contract/base/primitives.ts';
import type { RowOutcomes } from '#contract/base/tables.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type {
  CreatedReport,
  CreateReportInput,
  ListReportsInput,
  Report,
  ReportRows,
  ReportStatus,
  ReviewedReport,
  ReviewReportInput,
  ReviewReportsInput,
} from '#contract/oversight/moderation.ts';
import { userStatusSchema } from '#contract/people/accounts.ts';
import { pictureIdOf, pictureUrl } from '#contract/people/picture-addresses.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, refuseDuplicate, type Trx } from '#server/database/client.ts';
import { findPersonStatus } from '#server/people/accounts/service.ts';
import { isOwnCase, refuseOwnCase } from '#server/people/audit/own-cases-sql.ts';
import { audit } from '#server/people/audit/service.ts';
import { notify } from '#server/people/notifications/service.ts';
import { REPORT_TEXTS } from '#server/texts/oversight.ts';
import { applyStatusEffects } from './effects.ts';
import { judgeReview, reviewText, STATUS_AFTER } from './rules.ts';
import { forSeveral } from './several.ts';
import { changeStatus } from './status.ts';
import * as store from './store.ts';
import { lockPerson, takeTurn } from './store.ts';

/** Moderators read every report; this is more than an honest person needs in a day. */
const REPORTS_PER_PERSON: RateLimit = { name: 'reports', points: 10, seconds: 86_400 };

/**
 * Reports a person to the moderators, also one who has left.
 * @throws AppError forbidden (oneself), rate_limited, not_found (no such person), bad_input (the
 *   subject is not visible to the caller, the person does not show the picture), conflict (an earlier report of the caller on this person is pending)
 */
export async function reportPerson(ctx: MemberContext, input: CreateReportInput): Promise<CreatedReport> {
  const { reportedUserId } = input;
  if (reportedUserId === ctx.actor.id) {
    throw fieldError('forbidden', 'reportedUserId', t`You cannot report yourself`);
  }
  await enforceLimit(ctx.limiter, REPORTS_PER_PERSON, String(ctx.actor.id));
  const person = await findPersonStatus(ctx.db, reportedUserId);
  if (!person) throw notFound(t`Person not found`);
  await checkRelated(ctx, input);
  const { pictureUrl: picture, ...report } = input;
  const pictureId = picture === null ? null : pictureIdOf(picture);
  if (pictureId !== null && !(await store.showsPicture(ctx.db, reportedUserId, pictureId)))
    throw fieldError('bad_input', 'pictureUrl', t`This person no longer shows this picture`);
  const at = ctx.clock();
  const written = inTransaction(ctx.db, async (trx) => {
    // First, because a report refers to its person, and PostgreSQL cannot upgrade that lock safely.
    const isOfStranger = !(await store.haveDealt(trx, ctx.actor.id, reportedUserId));
    if (!isOfStranger) await store.countReport(trx, reportedUserId);
    return store.insertReport(trx, {
      ...report,
      isOfStranger,
      pictureId,
      reporterId: ctx.actor.id,
      createdAt: at,
      updatedAt: at,
    });
  });
  const id = await refuseDuplicate(
    written,
    'user_reports_one_pending',
    (cause) => new AppError('conflict', TEXTS.reports.alreadyReported(), { cause }),
  );
  return { id, message: TEXTS.reports.sent() };
}

/** Checks that the reporter can see the subject of the report. @throws AppError bad_input */
async function checkRelated(ctx: MemberContext, input: CreateReportInput): Promise<void> {
  const { relatedEntityType: type, relatedEntityId: id } = input;
  if (type === null && id === null) return;
  const path = type === null ? 'relatedEntityType' : 'relatedEntityId';
  const isKnown =
    type !== null &&
    id !== null &&
    (await store.isKnown(ctx.db, { type, id, viewerId: ctx.actor.id, now: ctx.clock() }));
  if (!isKnown) throw fieldError('bad_input', path, t`You cannot report this`);
}

/** Reports for moderators, without those by or about the caller. @throws AppError bad_input on `page` beyond the counted rows */
export async function listReports(
  ctx: MemberContext,
  { page, limit, ...filters }: ListReportsInput,
): Promise<Page<Report>> {
  const { rows, ...rest } = await store.listReports(ctx.db, ctx.actor.id, filters, { page, limit });
  return { items: rows.map(toReport), ...rest };
}

/** The same reports for an export, in portions of up to 1,000. */
export async function reportRows(
  ctx: MemberContext,
  { page, limit, ...filters }: ListReportsInput,
): Promise<ReportRows> {
  const { rows, nextCursor } = await store.readReports(ctx.db, ctx.actor.id, filters, { page, limit });
  return { items: rows.map(toReport), nextCursor };
}

/**
 * A moderator decides a report (decisions 5.7); other reports on the same person stay open. The effects of a ban are
 * applied before this returns.
 * @throws AppError not_found (a report about the caller, too), forbidden (the caller's own report; a moderator or an admin, see `judgeReview`),
 *   conflict (already decided; a status milder than the current one)
 */
export async function reviewReport(
  ctx: MemberContext,
  { id, action, notes, days }: ReviewReportInput,
): Promise<ReviewedReport> {
  const report = await store.findReport(ctx.db, id);
  // Nobody learns here that there is a report about them.
  if (!report || isOwnCase(ctx.actor.id, [report.reportedUserId])) throw notFound(t`Report not found`);
  const { reportedUserId, reporterId } = report;
  refuseOwnCase(ctx.actor.id, [reporterId], t`You wrote this report: another moderator has to decide.`);
  await inTransaction(ctx.db, async (trx) => {
    await takeTurn(trx);
    const person = await lockPerson(trx, reportedUserId);
    if (!person) throw notFound(t`Person not found`);
    const reported = { ...person, isDeleted: person.deletedAt !== null };
    const objection = judgeReview(ctx.actor, { reported, action });
    if (objection?.code === 'forbidden') throw new AppError(objection.code, objection.text);
    await decide(trx, ctx, { id, action, notes });
    // After the compare-and-set, so that a late click learns the report's true state.
    if (objection) throw new AppError(objection.code, objection.text);
    if (report.isOfStranger && action !== 'dismiss') await store.countReport(trx, reportedUserId);
    const status = STATUS_AFTER[action];
    if (status !== null) await changeStatus(trx, ctx, { person, status, reason: notes, days });
    const at = ctx.clock();
    await audit(trx, ctx, {
      actorId: ctx.actor.id,
      action: `report_${action}`,
      details: `Report ${id} on ${person.username} (${report.reason}).${notes === null ? '' : ` ${notes}`}`,
      targetUserId: reportedUserId,
      at,
    });
    const about = { userId: reporterId, relatedId: null, link: paths.notifications, at };
    const { subject, thanks } = REPORT_TEXTS;
    await notify(trx, { ...about, type: 'other', content: thanks(), mailSubject: subject() });
  });
  if (action === 'ban') await applyStatusEffects(ctx, reportedUserId, ctx.actor.id);
  const decided = await store.findReport(ctx.db, id);
  if (!decided) throw notFound(t`Report not found`);
  return { message: reviewText(action, decided.reportedUsername), report: toReport(decided) };
}

/** Decides several reports in the same way, each in a transaction of its own, with one reason. */
export async function reviewReports(
  ctx: MemberContext,
  { ids, ...decision }: ReviewReportsInput,
): Promise<RowOutcomes> {
  return forSeveral(ctx, ids, (id) => reviewReport(ctx, { id, ...decision }));
}

/** Compare-and-set: only one of two moderators decides. @throws AppError conflict with the true state */
async function decide(
  trx: Trx,
  ctx: MemberContext,
  { id, action, notes }: Pick<ReviewReportInput, 'id' | 'action' | 'notes'>,
): Promise<void> {
  const isDecided = await store.decideReport(trx, {
    id,
    status: action === 'dismiss' ? 'dismissed' : 'resolved',
    actionTaken: action,
    moderatorId: ctx.actor.id,
    moderatorNotes: notes,
    at: ctx.clock(),
  });
  if (isDecided) return;
  const current = await store.findReport(trx, id);
  throw new AppError('conflict', endText(current?.status));
}

function endText(status: ReportStatus | undefined): string {
  if (status === 'dismissed') return t`This report is already dismissed.`;
  return status === 'resolved' ? t`This report is already resolved.` : t`This report is already gone.`;
}

function toReport(report: store.ReportRow): Report {
  const { reporterPictureId, reportedPictureId, pictureId, hasPicture, ...row } = report;
  return {
    ...row,
    pictureUrl: pictureUrl(pictureId),
    isPictureGone: pictureId !== null && !hasPicture,
    reporterProfileImageUrl: pictureUrl(reporterPictureId),
    reportedProfileImageUrl: pictureUrl(reportedPictureId),
    reportedUserStatus: userStatusSchema.parse(row.reportedUserStatus),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
