import { userStatusSchema } from '#contract/accounts.ts';
import { listPlatformFeesInputSchema } from '#contract/payments.ts';
import { defineAddress, keyed, oneOf, searchText } from '#web/lib/address.ts';

/** The parts of the dashboard; the first one is what it opens with (spec/3 section 2). */
export const ADMIN_TABS = [
  { value: 'fees', label: 'Fee Transactions' },
  { value: 'activity', label: 'Activity Logs' },
  { value: 'seo', label: 'SEO Management' },
  { value: 'people', label: 'People' },
  { value: 'system', label: 'System' },
] as const;

/** Of the activity: the money's, or the moderators' and admins'. */
export type LogView = 'money' | 'moderation';

/** Which part of the dashboard, and what of it, its page number apart. */
export const ADMIN_ADDRESS = defineAddress({
  tab: oneOf(ADMIN_TABS.map(({ value }) => value)),
  period: oneOf(listPlatformFeesInputSchema.shape.period.unwrap().options, 'all'),
  log: oneOf<LogView>(['money', 'moderation']),
  search: keyed('q', searchText()),
  status: oneOf([null, ...userStatusSchema.options]),
});

export type AdminAddress = ReturnType<typeof ADMIN_ADDRESS.read>;

/** What each part opens with. */
export const UNFILTERED = { period: 'all', log: 'money', search: '', status: null } as const;
