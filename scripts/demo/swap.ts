/** How a swap ends, or where it stands. */
export type DemoEnding =
  | 'pending'
  | 'accepted'
  | 'completed'
  | 'rejected'
  | 'withdrawn'
  /** Accepted, then cancelled by one of the two. */
  | 'dropped by requester'
  | 'dropped by owner'
  /** Nobody answered in time; nobody completed in time. */
  | 'unanswered'
  | 'forgotten'
  /** The owner took the coupon away, or corrected its last day; the coupon ran out. */
  | 'coupon removed'
  | 'coupon changed'
  | 'coupon expired';

export interface DemoSwap {
  readonly ending: DemoEnding;
  /** Days ago that it was proposed. */
  readonly proposed: number;
  readonly by: string;
  readonly to: string;
  /** Titles of the two coupons, where the words speak of them; otherwise any that fit. */
  readonly wants?: string;
  readonly gives?: string;
  readonly message?: string;
  /** What the message was changed to before it was answered. */
  readonly revised?: string;
  /** Others who ask for the same coupon before it is decided. */
  readonly rivals?: readonly { readonly by: string; readonly gives?: string; readonly message?: string }[];
}
