import { t } from '@lingui/core/macro';
import { pageSetting } from '#contract/base/page-setting.ts';
import { PERSONAL_CATEGORIES, type StoredCategory, type Transferable } from '#contract/coupons/choices.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { isExpired } from '#contract/coupons/days-left.ts';
import { UNDO_USED_HOURS } from '#contract/coupons/limits.ts';

export const CATEGORY_NAMES: Record<StoredCategory, string> = {
  food: t`Food`,
  retail: t`Retail`,
  entertainment: t`Entertainment`,
  travel: t`Travel`,
  services: t`Services`,
  other: t`Other`,
  imported: t`Imported`,
  verified: t`Validated`,
  scraped: t`Found online`,
  ...JSON.parse(pageSetting('category-names') ?? '{}'),
};

export const TRANSFERABLE_NAMES: Record<Transferable, string> = {
  unknown: t`Not sure`,
  yes: t`Yes`,
  no: t`No`,
};

/** Whether a coupon is a public code: its owner may use, edit and delete it, but nobody can swap it (decisions 2.6). */
export function isPersonal({ category }: Pick<Coupon, 'category'>): boolean {
  return PERSONAL_CATEGORIES.includes(category);
}

/** Why a coupon cannot be exchanged or bid on, or null. The server checks it again. */
export function dealObstacle(coupon: Coupon): string | null {
  if (isPersonal(coupon)) return t`A public code, for personal use`;
  if (isExpired(coupon)) return t({ context: 'coupon', message: 'Expired' });
  if (coupon.isReserved) return t`Reserved by another deal`;
  if (coupon.isWaiting) return t`Waiting for a moderator’s check`;
  return coupon.isActive ? null : t`Not listed right now`;
}

/** Whether an owner may still take back that a coupon is used. The server checks it again. */
export function mayUndoUse(usedAt: string): boolean {
  return Date.now() - Date.parse(usedAt) <= UNDO_USED_HOURS * 3_600_000;
}

/** For a public code that somebody has typed in. */
export const NOT_LISTED = t`Anyone can use this public code, so it is not listed. Find it in My Coupons for your own use.`;
