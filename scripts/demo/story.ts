import type { DealStatus } from '#contract/deals/deals.ts';
import { DEMO_PASSWORD } from '#contract/people/accounts.ts';
import type { SettingValues } from '#contract/people/settings.ts';
import { inLanguage } from '#server/core/language.ts';
import { remindOfExpiry } from '#server/coupons/using/service.ts';
import { expireDeals } from '#server/deals/lifecycle/service.ts';
import { recordSweep } from '#server/deals/matches/service.ts';
import { countShownRatings } from '#server/deals/ratings/service.ts';
import { reconcilePayments } from '#server/money/workers/service.ts';
import { refreshLeaderboard } from '#server/oversight/leaderboard/service.ts';
import { makeRoot } from '#server/oversight/proofs/service.ts';
import { markDemo, setRole } from '#server/people/accounts/service.ts';
import { bidSteps, sellerSteps } from './bid-steps.ts';
import { claimSteps } from './claim-steps.ts';
import { collectingSteps } from './collecting.ts';
import { type DemoPerson, REPORTS } from './content.ts';
import { correction, listing, removal } from './coupon-steps.ts';
import { draw, drawBetween } from './draw.ts';
import { FACE_DRAWINGS } from './drawings.ts';
import { marketDaySteps } from './market-day-steps.ts';
import { uploadDrawing } from './pictures.ts';
import type { DemoPlan, PlannedCoupon, PlannedSwap } from './plan.ts';
import { ratingSteps } from './rating-steps.ts';
import { type DemoState, type DemoStep, lookUp } from './steps.ts';
import { talkingSteps } from './talking.ts';

/** The plan as steps, oldest first. Expiry days count from the present. */
export function listSteps(plan: DemoPlan, present: Date, marketDay: SettingValues['marketDay']): DemoStep[] {
  const state: DemoState = { people: new Map(), coupons: new Map(), exchanges: new Map(), bids: new Map() };
  const steps: DemoStep[] = [
    ...plan.people.flatMap((person) => [registration(state, person), ...readings(state, person)]),
    ...plan.coupons.map((coupon) => listing(state, coupon, present)),
    ...plan.swaps.flatMap((swap) => swapSteps(state, swap, present)),
    ...(plan.bids.length > 0 ? sellerSteps(state, plan.people) : []),
    ...plan.bids.flatMap((bid) => bidSteps(state, bid, present)),
    ...collectingSteps(state, plan),
    ...talkingSteps(state, plan),
    ...reportSteps(state, plan),
    ...ratingSteps(state, plan),
    ...everyDay(plan, (daysAgo) => ({
      daysAgo,
      async run(client) {
        await expireDeals(client.contextOf(null));
        await reconcilePayments(client.contextOf(null));
        await remindOfExpiry(client.contextOf(null));
        await countShownRatings(client.contextOf(null));
        await makeRoot(client.contextOf(null));
      },
    })),
    { daysAgo: 0, run: (client) => refreshLeaderboard(client.contextOf(null)) },
    ...marketDaySteps(state, plan, { present, setting: marketDay }),
    { daysAgo: 0, run: (client) => recordSweep(client.contextOf(null)) },
  ];
  return steps.sort((a, b) => b.daysAgo - a.daysAgo);
}

function everyDay({ people }: DemoPlan, step: (daysAgo: number) => DemoStep): DemoStep[] {
  const first = Math.floor(Math.max(...people.map(({ joined }) => joined)));
  return Array.from({ length: first + 1 }, (_, daysAgo) => step(daysAgo));
}

function registration(state: DemoState, person: DemoPerson): DemoStep {
  return {
    daysAgo: person.joined + draw(`hour of ${person.username}`) * 0.9,
    async run(client) {
      const { username, country, preferredCurrency, bio, language } = person;
      const calls = client.callsOf(null);
      const profileImageUrl = await uploadDrawing(
        calls,
        'profile',
        person.picture && FACE_DRAWINGS[person.picture],
      );
      const registering = {
        username,
        email: `${username.toLowerCase()}@example.org`,
        password: DEMO_PASSWORD,
        country,
        preferredCurrency,
        bio,
        profileImageUrl,
        acceptTerms: true,
        isAdult: true,
      } as const;
      const user = await inLanguage(language, () => calls.accounts.register(registering));
      const { role } = person.role ? await setRole(client.contextOf(null), username, person.role) : user;
      await markDemo(client.contextOf(null), user.id);
      const memberSince = new Date(user.createdAt);
      state.people.set(person, {
        id: user.id,
        username,
        role,
        status: user.status,
        memberSince,
        isConfirmed: true,
        isEstablished: true,
      });
    },
  };
}

/** Everybody has read their notifications up to some days ago; the newest people may have read none. */
function readings(state: DemoState, person: DemoPerson): DemoStep[] {
  const last = drawBetween(`last visit of ${person.username}`, 0.7, 4);
  return [last + 30, last + 10, last]
    .filter((daysAgo) => daysAgo < person.joined)
    .map((daysAgo) => ({
      daysAgo,
      run: (client) => client.callsOf(lookUp(state.people, person)).notifications.markAllRead(),
    }));
}

function swapSteps(state: DemoState, swap: PlannedSwap, present: Date): DemoStep[] {
  const { ending, requester, wants, gives, revised, proposed, answered, concluded } = swap;
  const { owner } = wants;
  const word = (message: string) =>
    message.replaceAll('{wanted}', wants.merchant.name).replaceAll('{offered}', gives.merchant.name);
  const moves = (daysAgo: number, person: DemoPerson, status: Exclude<DealStatus, 'pending'>): DemoStep => ({
    daysAgo,
    run: (client) =>
      client
        .callsOf(lookUp(state.people, person))
        .exchanges.setStatus({ id: lookUp(state.exchanges, swap), status }),
  });

  const proposal: DemoStep = {
    daysAgo: proposed,
    async run(client) {
      const { exchanges } = client.callsOf(lookUp(state.people, requester));
      const idsOf = (coupons: readonly PlannedCoupon[]) =>
        coupons.map((coupon) => lookUp(state.coupons, coupon));
      const offer = {
        requestedCouponIds: idsOf([wants, ...swap.alsoWants]),
        offeredCouponIds: idsOf([gives, ...swap.alsoGives]),
        message: swap.message === undefined ? null : word(swap.message),
      };
      const { id } = swap.answers
        ? await exchanges.counter({ ...offer, id: lookUp(state.exchanges, swap.answers) })
        : await exchanges.propose(offer);
      state.exchanges.set(swap, id);
    },
  };
  const revision: DemoStep[] = revised
    ? [
        {
          daysAgo: (proposed + answered) / 2,
          run: (client) =>
            client
              .callsOf(lookUp(state.people, requester))
              .exchanges.revise({ id: lookUp(state.exchanges, swap), message: word(revised) }),
        },
      ]
    : [];
  const accepted = moves(answered, owner, 'accepted');
  const endings: Record<PlannedSwap['ending'], DemoStep[]> = {
    pending: [],
    // The counter-offer is a proposal of its own, which ends this one.
    countered: [],
    unanswered: [],
    'coupon expired': [],
    'coupon removed': [removal(state, wants, answered)],
    'coupon changed': [correction(state, wants, answered, present)],
    rejected: [moves(answered, owner, 'rejected')],
    withdrawn: [moves(answered, requester, 'cancelled')],
    accepted: [accepted],
    forgotten: [accepted],
    completed: [accepted, moves(concluded, requester, 'completed'), ...claimSteps(state, swap)],
    'dropped by requester': [accepted, moves(concluded, requester, 'cancelled')],
    'dropped by owner': [accepted, moves(concluded, owner, 'cancelled')],
  };
  return [proposal, ...revision, ...endings[ending]];
}

/** People report each other to the moderators. */
function reportSteps(state: DemoState, { people }: DemoPlan): DemoStep[] {
  const find = (name: string) => people.find(({ username }) => username === name);
  return REPORTS.flatMap(({ daysAgo, by, on, ...report }) => {
    const [reporter, reported] = [find(by), find(on)];
    if (!reporter || !reported) return [];
    return {
      daysAgo,
      run: (client) =>
        client
          .callsOf(lookUp(state.people, reporter))
          .moderation.report({ ...report, reportedUserId: lookUp(state.people, reported).id }),
    };
  });
}
