/** How a bid ends, or where it stands. */
export type DemoBidEnding =
  | 'pending'
  /** Accepted, to be paid. */
  | 'accepted'
  | 'rejected'
  | 'withdrawn'
  /** Nobody answered in time; nobody paid in time. */
  | 'unanswered'
  | 'unpaid'
  /** The owner took the coupon away, corrected its last day, or swapped it; the coupon ran out. */
  | 'coupon removed'
  | 'coupon changed'
  | 'coupon swapped'
  | 'coupon expired'
  /** Paid: the money is held, or the buyer has confirmed the code, or has let the hold pass. */
  | 'held'
  | 'confirmed'
  | 'released'
  /** Paid, and the buyer says that the code does not work; nobody has decided yet, or the buyer was wrong. */
  | 'claimed'
  | 'claim withdrawn'
  /** The moderator gave the money back, or let the seller have it. */
  | 'claim granted'
  | 'claim refused';

export interface DemoBid {
  readonly ending: DemoBidEnding;
  /** Days ago that it was placed. */
  readonly placed: number;
  readonly by: string;
  readonly to: string;
  /** The coupon's title. */
  readonly on: string;
  /** In CAD. */
  readonly amount: `$${number}`;
  readonly message?: string;
  /** Others who bid on the same coupon before it is decided. */
  readonly rivals?: readonly {
    readonly by: string;
    readonly amount: `$${number}`;
    readonly message?: string;
  }[];
  /** How the buyer pays, where the seller leaves a choice; otherwise by card. */
  readonly through?: 'paypal';
  readonly keepsCard?: true;
  /** What the buyer says of the code, and what the moderator says to that. */
  readonly claim?: string;
  readonly note?: string;
}
