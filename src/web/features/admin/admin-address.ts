import type { UserStatus } from '#contract/accounts.ts';
import { userStatusSchema } from '#contract/accounts.ts';
import { type FeePeriod, listPlatformFeesInputSchema } from '#contract/payments.ts';
import { SEARCH_MAX } from '#contract/primitives.ts';

/** The parts of the dashboard; the first one is what it opens with (spec/3 section 2). */
export const ADMIN_TABS = [
  { value: 'fees', label: 'Fee Transactions' },
  { value: 'activity', label: 'Activity Logs' },
  { value: 'seo', label: 'SEO Management' },
  { value: 'people', label: 'People' },
  { value: 'system', label: 'System' },
] as const;
type AdminTab = (typeof ADMIN_TABS)[number]['value'];

/** Of the activity: the money's, or the moderators' and admins'. */
export type LogView = 'money' | 'moderation';

/** What the address of the dashboard says, its page number apart. */
export interface AdminAddress {
  readonly tab: AdminTab;
  readonly period: FeePeriod;
  readonly log: LogView;
  readonly search: string;
  readonly status: UserStatus | null;
}

/** Reads the address; whatever makes no sense falls back to what the dashboard opens with. */
export function readAddress(params: URLSearchParams): AdminAddress {
  return {
    tab: ADMIN_TABS.find(({ value }) => value === params.get('tab'))?.value ?? 'fees',
    period: listPlatformFeesInputSchema.shape.period.safeParse(params.get('period')).data ?? 'all',
    log: params.get('log') === 'moderation' ? 'moderation' : 'money',
    search: (params.get('q') ?? '').trim().slice(0, SEARCH_MAX),
    status: userStatusSchema.safeParse(params.get('status')).data ?? null,
  };
}

/** The address after a change. Another tab begins anew, another list at its first page. */
export function changeAddress(params: URLSearchParams, change: Partial<AdminAddress>): URLSearchParams {
  const next = change.tab === undefined ? new URLSearchParams(params) : new URLSearchParams();
  next.delete('page');
  const set = (key: string, value: string | null) => {
    if (value === null || value === '') next.delete(key);
    else next.set(key, value);
  };
  if (change.tab !== undefined) set('tab', change.tab === 'fees' ? null : change.tab);
  if (change.period !== undefined) set('period', change.period === 'all' ? null : change.period);
  if (change.log !== undefined) set('log', change.log === 'money' ? null : change.log);
  if (change.search !== undefined) set('q', change.search.trim());
  if (change.status !== undefined) set('status', change.status);
  return next;
}
