import type { Actor } from '#server/context/context.ts';
import type { DemoPerson } from './content.ts';
import type { PlannedSwap } from './plan.ts';
import { type DemoClient, type DemoState, type DemoStep, lookUp } from './steps.ts';

/** Somebody says that a code of a completed swap does not work; the other one answers, and a moderator decides. */
export function claimSteps(state: DemoState, swap: PlannedSwap): DemoStep[] {
  const { claim, requester, wants, gives } = swap;
  if (!claim) return [];
  const owner = wants.owner;
  const [claimant, giver, coupon] =
    claim.by === requester.username ? [requester, owner, wants] : [owner, requester, gives];
  const step = (
    daysAgo: number,
    person: DemoPerson,
    act: (calls: ReturnType<DemoClient['callsOf']>, id: number) => Promise<unknown>,
  ): DemoStep => ({
    daysAgo,
    run: async (client) => act(client.callsOf(lookUp(state.people, person)), await claimId(client)),
  });
  const claimId = async (client: DemoClient) => {
    const calls = client.callsOf(lookUp(state.people, claimant));
    const legs = await calls.claims.ofExchange({ exchangeId: lookUp(state.exchanges, swap) });
    return legs.find((leg) => leg.claim !== null)?.claim?.id ?? 0;
  };
  const { reason, answer, note } = claim;
  const opening = step(claim.made, claimant, ({ claims }) =>
    claims.open({
      exchangeId: lookUp(state.exchanges, swap),
      couponId: lookUp(state.coupons, coupon),
      reason,
    }),
  );
  if (answer === undefined || note === undefined) return [opening];
  return [
    opening,
    step(claim.answered, giver, ({ claims }, id) => claims.answer({ id, answer })),
    {
      daysAgo: claim.decided,
      run: async (client) =>
        client
          .callsOf(moderatorOf(state))
          .claims.decide({ id: await claimId(client), decision: 'upheld', note }),
    },
  ];
}

/** Who decides claims. */
export function moderatorOf({ people }: DemoState): Actor {
  const moderator = [...people.values()].find(({ role }) => role === 'moderator');
  if (!moderator) throw new Error('The demo has nobody who decides claims');
  return moderator;
}
