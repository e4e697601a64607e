import { keepPreviousData } from '@tanstack/react-query';
import type { ReportStatus } from '#contract/moderation.ts';
import type { PageRef } from '#contract/primitives.ts';
import { trpc } from '#web/lib/trpc.ts';

/** Which reports are shown. */
export type ReportFilter = ReportStatus | 'all';

/** Reports on one page of the moderators' list. */
export const REPORTS_PAGE_SIZE = 10;

/** Reports a person to the moderators. */
export function useCreateReport() {
  return trpc.moderation.report.useMutation();
}

/** A page of reports. The page before stays on screen while the next one loads. */
export function useReports({ status, page }: { status: ReportFilter; page: PageRef }) {
  return trpc.moderation.reports.useQuery(
    { status, page, limit: REPORTS_PAGE_SIZE },
    { placeholderData: keepPreviousData },
  );
}

/** A moderator removes a picture. */
export function useRemovePicture() {
  return trpc.moderation.removePicture.useMutation();
}

/** The coupons that wait for a moderator. */
export function useWaitingCoupons() {
  return trpc.moderation.waitingCoupons.useQuery();
}

/** A moderator lists waiting coupons, or removes them. */
export function useDecideCoupons() {
  return trpc.moderation.decideCoupons.useMutation();
}

/** A moderator's decision on a report. */
export function useReviewReport() {
  return trpc.moderation.review.useMutation();
}

/** The people whom the viewer has blocked. */
export function useBlockedPeople() {
  return trpc.blocks.list.useQuery();
}

export function useBlock() {
  return trpc.blocks.add.useMutation();
}

export function useUnblock() {
  return trpc.blocks.remove.useMutation();
}
