import { CATEGORIES } from '#contract/coupon-facts.ts';
import { pageSetting } from '#contract/page-setting.ts';

/** The categories that this market offers, in its order. */
export const OFFERED_CATEGORIES = (pageSetting('categories')?.split(' ') ??
  CATEGORIES) as readonly (typeof CATEGORIES)[number][];
