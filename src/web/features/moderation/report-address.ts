import type { ReportStatus } from '#contract/moderation.ts';
import { defineAddress, oneOf } from '#web/lib/address.ts';

/** Which reports are shown. */
export type ReportFilter = ReportStatus | 'all';

/** In the order in which they stand on the screen; the first one is what the page opens with. */
export const REPORT_FILTERS = [
  { value: 'pending', label: 'Pending' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'dismissed', label: 'Dismissed' },
  { value: 'all', label: 'All' },
] as const satisfies readonly { value: ReportFilter; label: string }[];

export const REPORTS_ADDRESS = defineAddress({ status: oneOf(REPORT_FILTERS.map(({ value }) => value)) });
