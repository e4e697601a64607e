import type { BidSide, DealStatus, DealType, ExchangeSide } from '#contract/deals.ts';

/** Who may move a deal from where to where: a table of the contract. */
type Transitions<Side extends string> = Record<DealStatus, Partial<Record<DealStatus, readonly Side[]>>>;

/**
 * Judges a move by the contract's table. `forbidden`: not for this side, whether now or ever; `stale`: the deal is
 * not in a state from which it goes there by anybody's hand.
 */
export function judgeMove<Side extends string>(
  transitions: Transitions<Side>,
  { from, to, side }: { from: DealStatus; to: DealStatus; side: Side },
): 'allowed' | 'forbidden' | 'stale' {
  const sidesNow = transitions[from][to] ?? [];
  if (sidesNow.length > 0) return sidesNow.includes(side) ? 'allowed' : 'forbidden';
  const everAllowed = Object.values(transitions).some((moves) => moves[to]?.includes(side));
  return everAllowed ? 'stale' : 'forbidden';
}

/** What a stale click is told: the state that the deal is truly in. */
export function stateText(type: DealType, status: DealStatus): string {
  return status === 'pending' ? `This ${type} is still pending.` : `This ${type} is already ${status}.`;
}

/** Why a deal ends by the hand of one side; null where it does not end, or is completed. */
export function reasonOf<Side extends ExchangeSide | BidSide>(
  to: DealStatus,
  side: Side,
): `by_${Side}` | null {
  return to === 'rejected' || to === 'cancelled' ? `by_${side}` : null;
}
