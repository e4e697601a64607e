import * as fc from 'fast-check';
import { Refusal } from '#sandbox/server.ts';
import { type Act, type Aimed, type Answer, foresee } from '../market/acts/act.ts';
import { acceptBid, bid, buy, counterBid, rejectBid, withdrawBid } from '../market/acts/bids.ts';
import { edit, list, remove } from '../market/acts/coupons.ts';
import { putUp } from '../market/acts/deposits.ts';
import { accept, cancel, complete, reject } from '../market/acts/exchanges.ts';
import {
  answerLegClaim,
  claimLeg,
  decideLegClaim,
  decideLegClaimRightly,
} from '../market/acts/leg-claims.ts';
import { block, unblock, want } from '../market/acts/matches.ts';
import { counter, propose, revise } from '../market/acts/offers.ts';
import { pay } from '../market/acts/payments.ts';
import { ban, leave, reinstate } from '../market/acts/people.ts';
import {
  answerClaim,
  claim,
  confirm,
  decide,
  decideRightly,
  withdrawClaim,
} from '../market/acts/protection.ts';
import { ADMIN, copyState } from '../market/state.ts';
import {
  appeal,
  claimLate,
  match,
  outside,
  payOtherwise,
  read,
  redeem,
  redeemClaimed,
  report,
  reveal,
  review,
  talk,
} from './acts.ts';
import { chance } from './choices.ts';
import type { Odds, Subject } from './odds.ts';
import { reachOf, type Sight } from './sight.ts';
import { Refused, type World } from './world.ts';

/** How often people consider what: mostly what somebody waits for. Few leave, and few are banned: those who are left have to trade. */
const WEIGHTS: readonly (readonly [weight: number, about: Subject, act: fc.Arbitrary<Act>])[] = [
  [40, 'coupons', list],
  [8, 'coupons', edit],
  [5, 'coupons', remove],
  [60, 'codes', reveal],
  [100, 'codes', redeem],
  [100, 'bids', bid],
  [60, 'bids', buy],
  [80, 'bids', counterBid],
  [200, 'bids', acceptBid],
  [10, 'bids', rejectBid],
  [10, 'bids', withdrawBid],
  [300, 'ends', pay],
  [40, 'ends', payOtherwise],
  [100, 'ends', confirm],
  [80, 'claims', claim],
  [50, 'claims', answerClaim],
  [40, 'claims', withdrawClaim],
  [60, 'claims', claimLate],
  [40, 'claims', redeemClaimed],
  [40, 'claims', appeal],
  [100, 'swaps', propose],
  [10, 'swaps', revise],
  [15, 'swaps', counter],
  [250, 'ends', accept],
  [150, 'ends', putUp],
  [15, 'swaps', reject],
  [25, 'swaps', cancel],
  [200, 'ends', complete],
  [60, 'claims', claimLeg],
  [40, 'claims', answerLegClaim],
  [10, 'codes', read],
  [20, 'people', talk],
  [10, 'people', block],
  [20, 'people', unblock],
  [20, 'rings', want],
  [80, 'rings', match],
  [10, 'people', report],
  [2, 'goodbyes', leave],
  [20, 'outside', outside],
  [60, 'claims', decide],
  [40, 'claims', decideLegClaim],
  [10, 'people', review],
  [8, 'goodbyes', ban],
  [15, 'goodbyes', reinstate],
];
/** The verdicts by chance, and what they are where moderators see through every lie. */
const VERDICTS: ReadonlyMap<fc.Arbitrary<Act>, fc.Arbitrary<Act>> = new Map([
  [decide, decideRightly],
  [decideLegClaim, decideLegClaimRightly],
]);
/** What people consider in a market of these odds. */
const anythingIn = ({ subjects, isJudged, isRight }: Odds) =>
  fc.oneof(
    ...WEIGHTS.map(([weight, about, arbitrary]) => ({
      weight: VERDICTS.has(arbitrary) && !isJudged ? 0 : Math.round(10 * weight * subjects[about]),
      arbitrary: (isRight && VERDICTS.get(arbitrary)) || arbitrary,
    })),
  );
/** In the first moment, so that there is something to trade. */
const FIRST = fc.oneof(list, list, want);

/** How many acts a person considers, until the model says of one that it may be done. */
const CONSIDERED = 12;
const DONE: readonly Answer[] = ['ok', 'open', 'processing', 'held', 'final', 'refunding', 'undone'];

/** Refusals end an act: the person sees why. All other errors are faults of the market. */
async function untilRefused(act: () => Promise<Answer>): Promise<string> {
  try {
    const answer = await act();
    if (answer.startsWith('internal')) throw new Error(answer);
    return answer;
  } catch (error) {
    if (error instanceof Refused || error instanceof Refusal) return error.message;
    throw error;
  }
}

/** Whether a person may do this to a deal that there is; others must be refused. */
function isParty({ state }: Sight, { who, party }: Aimed): boolean {
  const parties = party && state.deals.get(party.deal)?.parties;
  if (!parties || who === null) return true;
  return party.isFirst ? parties[0] === who : parties.includes(who);
}

/**
 * What somebody does in a task. Now and then they do it twice, act on what they saw earlier, or try what they may not.
 * @param sights what there was to see at the last moments, the present one first
 */
export function aim(
  world: World,
  sights: readonly [Sight, ...Sight[]],
  task: string,
): { readonly name: string; readonly work: () => Promise<unknown> }[] {
  const { odds } = world;
  const luck = (about: string) => chance(world.seed, task, about);
  const isLate = luck('late') < odds.late;
  const sight = (isLate && sights[Math.floor(luck('how late') * sights.length)]) || sights[0];
  const [moment = 0, nth = 0] = task.split('.').map(Number);
  const considered = fc.sample(moment === 0 ? FIRST : anythingIn(odds), {
    seed: Math.floor(luck('acts') * 2 ** 31),
    numRuns: CONSIDERED,
  });
  const possible = considered
    .map((one) => one.aim(sight.state, 1_000 * (moment + 1) + nth))
    .filter(({ who }) => who === null || who === ADMIN || who < odds.people);
  const foreseen = possible.map((one) => foresee(copyState(sight.state), one));
  const mayBeDone = (_: Aimed, at: number) => DONE.includes(foreseen[at] ?? 'not_found');
  const isRefused = (one: Aimed, at: number) =>
    !isParty(sight, one) || (foreseen[at] !== 'not_found' && !mayBeDone(one, at));
  const isReckless = luck('reckless') < odds.reckless;
  const aimed = (isReckless && possible.find(isRefused)) || possible.find(mayBeDone);
  if (!aimed) return [];
  const reach = reachOf(world, sight);
  const isTwice = luck('twice') < odds.twice;
  const name = `${task} ${aimed.text}`;
  return [name, ...(isTwice ? [`${name} again`] : [])].map((own) => ({
    name: own,
    work: () =>
      untilRefused(async () => {
        const answer = await world.callAs(aimed.who, own, (caller) => aimed.call(reach, caller));
        if (!isParty(sight, aimed)) throw new Error(`They have done what is for others: ${aimed.text}`);
        return answer;
      }),
  }));
}
