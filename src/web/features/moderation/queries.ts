import { keepPreviousData } from '@tanstack/react-query';
import { isConflict } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import type { ReportFilter } from './report-address.ts';

/** Reports on one page of the moderators' list. */
export const REPORTS_PAGE_SIZE = 10;

/** Tells the moderators about somebody. */
export function useCreateReport() {
  return trpc.moderation.report.useMutation();
}

/** A page of reports. The page before stays on screen while the next one loads. */
export function useReports({ status, page }: { status: ReportFilter; page: number }) {
  return trpc.moderation.reports.useQuery(
    { status, page, limit: REPORTS_PAGE_SIZE },
    { placeholderData: keepPreviousData },
  );
}

/** A moderator's decision on a report. Settles when the reports on screen are true again. */
export function useReviewReport() {
  const utils = trpc.useUtils();
  const readAnew = async () => {
    // A ban takes coupons and deals off the lists.
    void utils.coupons.invalidate();
    void utils.admin.invalidate();
    await utils.moderation.reports.invalidate();
  };
  return trpc.moderation.review.useMutation({
    onSuccess: readAnew,
    onError: (error) => (isConflict(error) ? readAnew() : undefined),
  });
}
