import type { ReportStatus } from '#contract/moderation.ts';

/** Which reports are shown. */
export type ReportFilter = ReportStatus | 'all';

/** In the order in which they stand on the screen; the first one is what the page opens with. */
export const REPORT_FILTERS = [
  { value: 'pending', label: 'Pending' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'dismissed', label: 'Dismissed' },
  { value: 'all', label: 'All' },
] as const satisfies readonly { value: ReportFilter; label: string }[];

/** Reads the filter from the address; whatever makes no sense shows what waits for a decision. */
export function readFilter(params: URLSearchParams): ReportFilter {
  const asked = params.get('status');
  return REPORT_FILTERS.find(({ value }) => value === asked)?.value ?? 'pending';
}

/** The address with another filter. Another list begins at its first page again. */
export function changeFilter(params: URLSearchParams, filter: ReportFilter): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete('page');
  if (filter === 'pending') next.delete('status');
  else next.set('status', filter);
  return next;
}
