import { DAY_MS, personOf, type State } from './state.ts';

/** Whoever gave codes that failed sells nothing more until a moderator has looked, which no act of the model does. */

/** Who has an open claim about what a person gave. */
function openClaimants(state: State, giver: number): ReadonlySet<number> {
  const claimants = [...state.deals.values()].flatMap((deal) => {
    if (deal.kind === 'bid')
      return deal.payment?.claim === 'open' && deal.parties[1] === giver ? [deal.parties[0]] : [];
    const open = deal.claims.filter(({ status }) => status === 'open').map(({ coupon }) => coupon);
    return deal.legs.flatMap((leg) =>
      leg.giver === giver && open.includes(leg.coupon) ? [leg.receiver] : [],
    );
  });
  return new Set(claimants);
}

export function stopSalesIfDue(state: State, giver: number): void {
  const person = personOf(state, giver);
  const lately = state.granted.filter((one) => one.giver === giver && one.at > state.now - 7 * DAY_MS);
  const declinedOf = (who: number) => state.declined.filter((one) => one === who).length;
  const weight = [...openClaimants(state, giver)].reduce((sum, who) => sum + 1 / (1 + declinedOf(who)), 0);
  if (!person.hasLeft && (lately.length >= 2 || weight >= 3)) person.isSaleStopped = true;
}

/** A claim is granted: what its giver gave did not work. */
export function noteGranted(state: State, giver: number): void {
  personOf(state, giver).failedCodes += 1;
  state.granted = [...state.granted, { giver, at: state.now }];
  stopSalesIfDue(state, giver);
}

export function noteDeclined(state: State, claimant: number): void {
  state.declined = [...state.declined, claimant];
}
