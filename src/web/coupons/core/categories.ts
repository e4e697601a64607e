import { pageSetting } from '#contract/base/page-setting.ts';
import { CATEGORIES } from '#contract/coupons/choices.ts';

/** The categories that this market offers, in its order. */
export const OFFERED_CATEGORIES = (pageSetting('categories')?.split(' ') ??
  CATEGORIES) as readonly (typeof CATEGORIES)[number][];
