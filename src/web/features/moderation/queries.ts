import { keepPreviousData } from '@tanstack/react-query';
import type { ReportStatus } from '#contract/moderation.ts';
import type { PageRef } from '#contract/primitives.ts';
import { trpc } from '#web/lib/trpc.ts';

/** Which reports are shown. */
export type ReportFilter = ReportStatus | 'all';

/** Reports on one page of the moderators' list. */
export const REPORTS_PAGE_SIZE = 10;

/** A page of reports. The page before stays on screen while the next one loads. */
export function useReports({ status, page }: { status: ReportFilter; page: PageRef }) {
  return trpc.moderation.reports.useQuery(
    { status, page, limit: REPORTS_PAGE_SIZE },
    { placeholderData: keepPreviousData },
  );
}
