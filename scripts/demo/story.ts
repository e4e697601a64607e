import { DEMO_PASSWORD } from '#contract/accounts.ts';
import type { DealStatus } from '#contract/deals.ts';
import { markDemo, setRole } from '#server/domains/accounts/service.ts';
import { remindOfExpiry } from '#server/domains/coupons/reminders.ts';
import { lapseDeadlines } from '#server/domains/deals/endings.ts';
import { refreshLeaderboard } from '#server/domains/leaderboard/service.ts';
import { reconcilePayments } from '#server/domains/payments/reconcile.ts';
import { countShownRatings } from '#server/domains/ratings/service.ts';
import { bidActs, sellerActs } from './bid-story.ts';
import { type Act, type Cast, made } from './cast.ts';
import { collectingActs } from './collecting.ts';
import { type DemoPerson, REPORTS } from './content.ts';
import { correction, listing, removal } from './coupon-story.ts';
import { draw, drawBetween } from './draw.ts';
import type { DemoPlan, PlannedSwap } from './plan.ts';
import { ratingActs } from './ratings-story.ts';
import { talkingActs } from './talking.ts';

/** The plan as acts, oldest first. Expiry days count from the present. */
export function writeStory(plan: DemoPlan, present: Date): Act[] {
  const cast: Cast = { people: new Map(), coupons: new Map(), exchanges: new Map(), bids: new Map() };
  const acts: Act[] = [
    ...plan.people.flatMap((person) => [registration(cast, person), ...readings(cast, person)]),
    ...plan.coupons.map((coupon) => listing(cast, coupon, present)),
    ...plan.swaps.flatMap((swap) => swapActs(cast, swap, present)),
    ...(plan.bids.length > 0 ? sellerActs(cast, plan.people) : []),
    ...plan.bids.flatMap((bid) => bidActs(cast, bid, present)),
    ...collectingActs(cast, plan),
    ...talkingActs(cast, plan),
    ...reportActs(cast, plan),
    ...ratingActs(cast, plan),
    ...everyDay(plan, (daysAgo) => ({
      daysAgo,
      async perform(stage) {
        await lapseDeadlines(stage.contextOf(null));
        await reconcilePayments(stage.contextOf(null));
        await remindOfExpiry(stage.contextOf(null));
        await countShownRatings(stage.contextOf(null));
      },
    })),
    {
      daysAgo: 0,
      perform: (stage) =>
        markDemo(
          stage.contextOf(null),
          [...cast.people.values()].map(({ id }) => id),
        ),
    },
    { daysAgo: 0, perform: (stage) => refreshLeaderboard(stage.contextOf(null)) },
  ];
  return acts.sort((a, b) => b.daysAgo - a.daysAgo);
}

function everyDay({ people }: DemoPlan, act: (daysAgo: number) => Act): Act[] {
  const first = Math.floor(Math.max(...people.map(({ joined }) => joined)));
  return Array.from({ length: first + 1 }, (_, daysAgo) => act(daysAgo));
}

function registration(cast: Cast, person: DemoPerson): Act {
  return {
    daysAgo: person.joined + draw(`hour of ${person.username}`) * 0.9,
    async perform(stage) {
      const { username, country, preferredCurrency, bio } = person;
      const user = await stage.callsOf(null).accounts.register({
        username,
        email: `${username.toLowerCase()}@example.org`,
        password: DEMO_PASSWORD,
        country,
        preferredCurrency,
        bio,
        acceptTerms: true,
        isAdult: true,
      });
      const { role } = person.role ? await setRole(stage.contextOf(null), username, person.role) : user;
      cast.people.set(person, { id: user.id, username, role, status: user.status });
    },
  };
}

/** Everybody has read their notifications up to some days ago, the newest people perhaps never. */
function readings(cast: Cast, person: DemoPerson): Act[] {
  const last = drawBetween(`last visit of ${person.username}`, 0.7, 4);
  return [last + 30, last + 10, last]
    .filter((daysAgo) => daysAgo < person.joined)
    .map((daysAgo) => ({
      daysAgo,
      perform: (stage) => stage.callsOf(made(cast.people, person)).notifications.markAllRead(),
    }));
}

function swapActs(cast: Cast, swap: PlannedSwap, present: Date): Act[] {
  const { ending, requester, wants, gives, revised, proposed, answered, concluded } = swap;
  const { owner } = wants;
  const word = (message: string) =>
    message.replaceAll('{wanted}', wants.merchant.name).replaceAll('{offered}', gives.merchant.name);
  const moves = (daysAgo: number, person: DemoPerson, status: Exclude<DealStatus, 'pending'>): Act => ({
    daysAgo,
    perform: (stage) =>
      stage
        .callsOf(made(cast.people, person))
        .exchanges.setStatus({ id: made(cast.exchanges, swap), status }),
  });

  const proposal: Act = {
    daysAgo: proposed,
    async perform(stage) {
      const { id } = await stage.callsOf(made(cast.people, requester)).exchanges.propose({
        requestedCouponId: made(cast.coupons, wants),
        offeredCouponId: made(cast.coupons, gives),
        message: swap.message === undefined ? null : word(swap.message),
      });
      cast.exchanges.set(swap, id);
    },
  };
  const revision: Act[] = revised
    ? [
        {
          daysAgo: (proposed + answered) / 2,
          perform: (stage) =>
            stage
              .callsOf(made(cast.people, requester))
              .exchanges.revise({ id: made(cast.exchanges, swap), message: word(revised) }),
        },
      ]
    : [];
  const accepted = moves(answered, owner, 'accepted');
  const endings: Record<PlannedSwap['ending'], Act[]> = {
    pending: [],
    unanswered: [],
    'coupon expired': [],
    'coupon removed': [removal(cast, wants, answered)],
    'coupon changed': [correction(cast, wants, answered, present)],
    rejected: [moves(answered, owner, 'rejected')],
    withdrawn: [moves(answered, requester, 'cancelled')],
    accepted: [accepted],
    forgotten: [accepted],
    completed: [accepted, moves(concluded, requester, 'completed')],
    'dropped by requester': [accepted, moves(concluded, requester, 'cancelled')],
    'dropped by owner': [accepted, moves(concluded, owner, 'cancelled')],
  };
  return [proposal, ...revision, ...endings[ending]];
}

/** People report each other to the moderators. */
function reportActs(cast: Cast, { people }: DemoPlan): Act[] {
  const find = (name: string) => people.find(({ username }) => username === name);
  return REPORTS.flatMap(({ daysAgo, by, on, ...report }) => {
    const [reporter, reported] = [find(by), find(on)];
    if (!reporter || !reported) return [];
    return {
      daysAgo,
      perform: (stage) =>
        stage
          .callsOf(made(cast.people, reporter))
          .moderation.report({ ...report, reportedUserId: made(cast.people, reported).id }),
    };
  });
}
