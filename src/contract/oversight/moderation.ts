import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { DENIAL_KINDS } from '#contract/base/errors.ts';
import { orBeyond } from '#contract/base/input-texts.ts';
import {
  idSchema,
  instantSchema,
  optionalTextSchema,
  pagingSchema,
  REASON_MAX,
  searchSchema,
  textSchema,
} from '#contract/base/primitives.ts';
import { daysOf, portionOf, portionSchema, severalIdsSchema, sortSchema } from '#contract/base/tables.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { currentPasswordSchema, userRoleSchema, userStatusSchema } from '#contract/people/accounts.ts';
import { pictureAddressSchema, pictureUrlSchema } from '#contract/people/pictures.ts';

export const REPORT_REASONS = [
  'fake_coupon',
  'expired_coupon',
  'inappropriate_content',
  'scam',
  'harassment',
  'other',
] as const;
const reportReasonSchema = z.enum(REPORT_REASONS).meta({ id: 'ReportReason' });
export type ReportReason = z.output<typeof reportReasonSchema>;

const REPORTED_THINGS = ['coupon', 'exchange', 'bid', 'message', 'rating'] as const;
const reportedThingSchema = z.enum(REPORTED_THINGS).meta({ id: 'ReportedThing' });
export type ReportedThing = z.output<typeof reportedThingSchema>;

export const REPORT_DESCRIPTION_MIN = 10;
/** Length in characters of a report's description, and of its evidence. */
export const REPORT_TEXT_MAX = 2_000;

export const createReportInputSchema = z.object({
  reportedUserId: z.int({ error: orBeyond(TEXTS.reports.noUser) }).pipe(idSchema),
  reason: reportReasonSchema.default('fake_coupon'),
  description: textSchema(REPORT_TEXT_MAX, REPORT_DESCRIPTION_MIN, TEXTS.reports.descriptionTooShort),
  /** Links, quotations, descriptions of what was said. */
  evidence: optionalTextSchema(REPORT_TEXT_MAX),
  relatedEntityType: reportedThingSchema.nullish().transform((type) => type ?? null),
  relatedEntityId: idSchema.nullish().transform((id) => id ?? null),
  /** A picture of the reported person, or of a coupon of theirs. */
  pictureUrl: pictureUrlSchema,
});
export type CreateReportInput = z.output<typeof createReportInputSchema>;

const REPORT_STATUSES = ['pending', 'resolved', 'dismissed'] as const;
const reportStatusSchema = z.enum(REPORT_STATUSES).meta({ id: 'ReportStatus' });
export type ReportStatus = z.output<typeof reportStatusSchema>;

/** What a moderator can do with a report. All but `dismiss` change the status of the reported person. */
export const REPORT_ACTIONS = ['dismiss', 'warn', 'suspend', 'ban'] as const;
const reportActionSchema = z.enum(REPORT_ACTIONS).meta({ id: 'ReportAction' });
export type ReportAction = z.output<typeof reportActionSchema>;

/** Days in which a decision can be appealed (spec/3 section 2). */
export const APPEAL_DAYS = 30;

/** Where to appeal. @param supportEmail null where the operator has not set one */
export function appealText(supportEmail: string | null): string {
  return supportEmail === null
    ? t`You can appeal within ${APPEAL_DAYS} days: reply to any email from us.`
    : t`You can appeal within ${APPEAL_DAYS} days: write to ${supportEmail}.`;
}

/** How long a suspension can be said to last; without days it lasts until somebody lifts it. */
const SUSPENSION_DAYS_MAX = 365;
const suspensionDaysSchema = z.int().min(1).max(SUSPENSION_DAYS_MAX).nullish();

export const reviewReportInputSchema = z.object({
  id: idSchema,
  action: reportActionSchema,
  /** Ignored: the action decides the status (decisions 5.7). Accepted because the spec names it. */
  status: reportStatusSchema.optional(),
  notes: optionalTextSchema(REASON_MAX),
  /** Of a suspension. */
  days: suspensionDaysSchema,
});
export type ReviewReportInput = z.output<typeof reviewReportInputSchema>;

/** One decision on several reports, with one reason. */
export const reviewReportsInputSchema = reviewReportInputSchema.omit({ id: true, status: true }).extend({
  ids: severalIdsSchema,
  notes: textSchema(REASON_MAX, 1, () => t`Please say why: we record it in the audit log`),
});
export type ReviewReportsInput = z.output<typeof reviewReportsInputSchema>;

export const removePictureInputSchema = z.object({
  url: pictureAddressSchema,
  reason: textSchema(REASON_MAX, 1, () => t`Please say why: we send it to the owner`),
});
export type RemovePictureInput = z.output<typeof removePictureInputSchema>;

/** A coupon that moderators look at before others see it. */
export const waitingCouponSchema = z.object({
  id: idSchema,
  title: z.string(),
  merchant: z.string(),
  description: z.string(),
  ownerId: idSchema,
  ownerUsername: z.string(),
  ownerSince: instantSchema,
});
export type WaitingCoupon = z.output<typeof waitingCouponSchema>;

export const decideCouponsInputSchema = z.object({
  ids: z.array(idSchema).min(1).max(100),
  decision: z.enum(['list', 'remove']),
});
export type DecideCouponsInput = z.output<typeof decideCouponsInputSchema>;

/** How many coupons are listed now, and how many were removed: also those whose code is listed already. */
export const decidedCouponsSchema = z.object({ listed: z.int(), removed: z.int() });
export type DecidedCoupons = z.output<typeof decidedCouponsSchema>;

const reportFilters = {
  status: z.enum([...REPORT_STATUSES, 'all']).default('pending'),
  reason: reportReasonSchema.optional(),
  /** The whole username of the reporter or of the reported person. */
  person: searchSchema,
  sort: sortSchema('date'),
};
export const listReportsInputSchema = pagingSchema.extend(reportFilters);
export type ListReportsInput = z.output<typeof listReportsInputSchema>;
export type ReportFilters = Omit<ListReportsInput, 'page' | 'limit'>;
export const reportRowsInputSchema = z.object({ ...reportFilters, ...portionOf });

/** A report as moderators see it. */
export const reportSchema = z.object({
  id: idSchema,
  reason: reportReasonSchema,
  reporterId: idSchema,
  reporterUsername: z.string(),
  reporterProfileImageUrl: z.string().nullable(),
  reportedUserId: idSchema,
  reportedUsername: z.string(),
  reportedProfileImageUrl: z.string().nullable(),
  reportedUserStatus: userStatusSchema,
  /** Whether the two had no deal, and so no message, when it was written. */
  isOfStranger: z.boolean(),
  /** How many reports there are on the same person; those of strangers count once a moderator has found them right. */
  reportCount: z.int(),
  description: z.string(),
  evidence: z.string().nullable(),
  relatedEntityType: reportedThingSchema.nullable(),
  relatedEntityId: idSchema.nullable(),
  /** The picture that the report names. */
  pictureUrl: z.string().nullable(),
  /** Whether that picture was replaced or removed since. */
  isPictureGone: z.boolean(),
  status: reportStatusSchema,
  actionTaken: reportActionSchema.nullable(),
  moderatorUsername: z.string().nullable(),
  moderatorNotes: z.string().nullable(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
reportSchema.register(z.globalRegistry, { id: 'Report' });
export type Report = z.output<typeof reportSchema>;

export const reportRowsSchema = portionSchema(reportSchema);
export type ReportRows = z.output<typeof reportRowsSchema>;

export const reviewedReportSchema = z
  .object({ message: z.string(), report: reportSchema })
  .meta({ id: 'ReviewedReport' });
export type ReviewedReport = z.output<typeof reviewedReportSchema>;

/** The answer to the reporter: it only confirms that the report has arrived. */
export const createdReportSchema = z
  .object({ id: idSchema, message: z.string() })
  .meta({ id: 'CreatedReport' });
export type CreatedReport = z.output<typeof createdReportSchema>;

/** A person as admins see them. */
export const adminUserSchema = z.object({
  id: idSchema,
  username: z.string(),
  email: z.string(),
  role: userRoleSchema,
  status: userStatusSchema,
  reportCount: z.int(),
  isDeleted: z.boolean(),
  hasSecondFactor: z.boolean(),
  lastLoginAt: instantSchema.nullable(),
  createdAt: instantSchema,
});
adminUserSchema.register(z.globalRegistry, { id: 'AdminUser' });
export type AdminUser = z.output<typeof adminUserSchema>;

export const userRowsSchema = portionSchema(adminUserSchema);
export type UserRows = z.output<typeof userRowsSchema>;

const userFilters = {
  /** A part of the username or the e-mail address; or a coupon, as '#12' or by the address of its page. */
  search: searchSchema,
  status: userStatusSchema.optional(),
  role: userRoleSchema.optional(),
  /** When they joined. */
  ...daysOf,
  sort: sortSchema('joined', 'name', 'reports'),
};
export const listUsersInputSchema = pagingSchema.extend(userFilters);
export type ListUsersInput = z.output<typeof listUsersInputSchema>;
export type UserFilters = Omit<ListUsersInput, 'page' | 'limit'>;
export const userRowsInputSchema = z.object({ ...userFilters, ...portionOf });

export const setUserStatusInputSchema = z.object({
  id: idSchema,
  status: userStatusSchema,
  /** Kept in the audit log, and shown to the person. */
  reason: textSchema(REASON_MAX, 1, () => t`Please say why: we record it in the audit log`),
  /** Of a suspension. */
  days: suspensionDaysSchema,
});
export type SetUserStatusInput = z.output<typeof setUserStatusInputSchema>;

/** One status for several people, with one reason. */
export const setUserStatusesInputSchema = setUserStatusInputSchema
  .omit({ id: true })
  .extend({ ids: severalIdsSchema });
export type SetUserStatusesInput = z.output<typeof setUserStatusesInputSchema>;

export const resetSecondFactorInputSchema = z.object({
  id: idSchema,
  /** How the person proved who they are. Kept in the audit log. */
  reason: textSchema(
    REASON_MAX,
    1,
    () => t`Please say how they proved who they are: we record it in the audit log`,
  ),
  /** The admin's own. */
  password: currentPasswordSchema,
});
export type ResetSecondFactorInput = z.output<typeof resetSecondFactorInputSchema>;

/** A line of the audit log. */
export const auditLineSchema = z.object({
  id: idSchema,
  createdAt: instantSchema,
  /** Who did it; null when a rule or a command-line program did. */
  username: z.string().nullable(),
  action: z.string(),
  details: z.string(),
  targetUserId: idSchema.nullable(),
  targetUsername: z.string().nullable(),
});
auditLineSchema.register(z.globalRegistry, { id: 'AuditLine' });
export type AuditLine = z.output<typeof auditLineSchema>;
export const auditRowsSchema = portionSchema(auditLineSchema);
export type AuditRows = z.output<typeof auditRowsSchema>;

const auditFilters = {
  /** The whole username of who did it, or of whom it is about. */
  person: searchSchema,
  action: textSchema(100).optional(),
  ...daysOf,
  sort: sortSchema('date'),
};
export const listAuditInputSchema = pagingSchema.extend(auditFilters);
export type ListAuditInput = z.output<typeof listAuditInputSchema>;
export type AuditFilters = Omit<ListAuditInput, 'page' | 'limit'>;
export const auditRowsInputSchema = z.object({ ...auditFilters, ...portionOf });

/** Days that refusals are kept. */
export const DENIED_REQUESTS_KEPT_DAYS = 30;

/** What an account or an address was refused in an hour. */
export const deniedRequestSchema = z.object({
  id: idSchema,
  hour: instantSchema,
  kind: z.enum(DENIAL_KINDS),
  /** Who tried, or whose account was tried; null where nobody was signed in and no account is concerned. */
  userId: idSchema.nullable(),
  username: z.string().nullable(),
  /** '' for all those above the bound of an hour together. */
  address: z.string(),
  /** A procedure's name, or a method with a route's pattern. */
  call: z.string(),
  count: z.int(),
  lastAt: instantSchema,
});
deniedRequestSchema.register(z.globalRegistry, { id: 'DeniedRequest' });
export type DeniedRequest = z.output<typeof deniedRequestSchema>;
export const deniedRequestRowsSchema = portionSchema(deniedRequestSchema);
export type DeniedRequestRows = z.output<typeof deniedRequestRowsSchema>;

const deniedRequestFilters = { kind: z.enum(DENIAL_KINDS).optional(), sort: sortSchema('date') };
export const listDeniedRequestsInputSchema = pagingSchema.extend(deniedRequestFilters);
export type ListDeniedRequestsInput = z.output<typeof listDeniedRequestsInputSchema>;
export type DeniedRequestFilters = Omit<ListDeniedRequestsInput, 'page' | 'limit'>;
export const deniedRequestRowsInputSchema = z.object({ ...deniedRequestFilters, ...portionOf });
