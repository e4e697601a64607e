import { COUPON_TARGETS } from './coupons.ts';
import { DELIVERY_TARGETS } from './deliveries.ts';
import { FEED_TARGETS } from './feeds.ts';
import { FILE_TARGETS } from './files.ts';
import { REQUEST_TARGETS } from './requests.ts';
import { SEEN_TARGETS } from './seen.ts';
import type { Target } from './target.ts';

/** Every parser of what others wrote. */
export const TARGETS: readonly Target[] = [
  ...FEED_TARGETS,
  ...COUPON_TARGETS,
  ...FILE_TARGETS,
  ...REQUEST_TARGETS,
  ...DELIVERY_TARGETS,
  ...SEEN_TARGETS,
];
