import { t } from '@lingui/core/macro';
import type { ApiScope, ScopeGroup } from '#contract/people/api-keys.ts';

/** What a program may do with one group: nothing, read, or read and write. */
export type Access = 'none' | 'see' | 'change';

/** The names of what a key can be for, in the order of the form. */
export function groupNames(): Record<ScopeGroup, string> {
  return {
    coupons: t`Coupons and wish list`,
    deals: t`Exchanges and bids`,
    messages: t`Messages`,
    payments: t`Payments`,
    notifications: t`Notifications and history`,
    profile: t`Profile`,
    webhooks: t`Webhooks`,
    moderation: t`Moderation`,
    admin: t`Administration`,
  };
}

export function accessIn(scopes: readonly ApiScope[], group: ScopeGroup): Access {
  if (scopes.includes(`${group}:write`)) return 'change';
  return scopes.includes(`${group}:read`) ? 'see' : 'none';
}

/** The scopes with another access to one group. */
export function withAccess(scopes: readonly ApiScope[], group: ScopeGroup, access: Access): ApiScope[] {
  const [read, write] = [`${group}:read`, `${group}:write`] as const;
  const others = scopes.filter((scope) => scope !== read && scope !== write);
  return [...others, ...(access === 'none' ? [] : [read]), ...(access === 'change' ? [write] : [])];
}
