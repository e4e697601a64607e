import { DEMO_PASSWORD } from '#contract/accounts.ts';
import type { DealStatus } from '#contract/deals.ts';
import { decimalToCents } from '#contract/money.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { markDemo } from '#server/domains/accounts/service.ts';
import { lapseDeadlines } from '#server/domains/deals/service.ts';
import { reconcilePayments } from '#server/domains/payments/reconcile.ts';
import { bidActs, sellerActs } from './bid-story.ts';
import { type Act, type Cast, made } from './cast.ts';
import { draw, drawBetween } from './draw.ts';
import type { DemoPerson } from './people.ts';
import type { DemoPlan, PlannedCoupon, PlannedSwap } from './plan.ts';

/** The plan as acts, oldest first. Expiry days count from the present. */
export function writeStory(plan: DemoPlan, present: Date): Act[] {
  const cast: Cast = { people: new Map(), coupons: new Map(), exchanges: new Map(), bids: new Map() };
  const acts: Act[] = [
    ...plan.people.flatMap((person) => [registration(cast, person), ...readings(cast, person)]),
    ...plan.coupons.map((coupon) => listing(cast, coupon, present)),
    ...plan.swaps.flatMap((swap) => swapActs(cast, swap, present)),
    ...(plan.bids.length > 0 ? sellerActs(cast, plan.people) : []),
    ...plan.bids.flatMap((bid) => bidActs(cast, bid)),
    ...everyDay(plan, (daysAgo) => ({
      daysAgo,
      async perform(stage) {
        await lapseDeadlines(stage.contextOf(null));
        await reconcilePayments(stage.contextOf(null));
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
      cast.people.set(person, { id: user.id, username, role: user.role, status: user.status });
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

function listing(cast: Cast, coupon: PlannedCoupon, present: Date): Act {
  return {
    daysAgo: coupon.listed,
    async perform(stage) {
      const calls = stage.callsOf(made(cast.people, coupon.owner));
      const { id } = await calls.coupons.create({ ...fieldsOf(coupon, present), codeValue: coupon.code });
      cast.coupons.set(coupon, id);
    },
  };
}

/** What the owner fills in, apart from the code. */
function fieldsOf({ offer, merchant, expires }: PlannedCoupon, present: Date) {
  return {
    title: offer.title,
    description: offer.description,
    ...worthOf(offer.worth),
    merchant: merchant.name,
    category: merchant.category,
    hasNoExpiry: expires === null,
    expiryDate: expires === null ? null : utcDay(addDays(present, expires)),
    terms: offer.terms ?? null,
  };
}

/** '$12.50' -> 1250 cents; '20%' -> 2000 hundredths of a per cent. */
function worthOf(worth: PlannedCoupon['offer']['worth']) {
  return worth.endsWith('%')
    ? ({ value: decimalToCents(worth.slice(0, -1)), discountType: 'percentage' } as const)
    : ({ value: decimalToCents(worth.slice(1)), discountType: 'fixed' } as const);
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
  const removal: Act = {
    daysAgo: answered,
    perform: (stage) =>
      stage.callsOf(made(cast.people, owner)).coupons.remove({ id: made(cast.coupons, wants) }),
  };
  const correction: Act = {
    daysAgo: answered,
    async perform(stage) {
      const fields = fieldsOf(wants, present);
      const lastDay = { hasNoExpiry: false, expiryDate: utcDay(addDays(present, 45)) };
      await stage
        .callsOf(made(cast.people, owner))
        .coupons.update({ ...fields, ...lastDay, id: made(cast.coupons, wants) });
    },
  };

  const accepted = moves(answered, owner, 'accepted');
  const endings: Record<PlannedSwap['ending'], Act[]> = {
    pending: [],
    unanswered: [],
    'coupon expired': [],
    'coupon removed': [removal],
    'coupon changed': [correction],
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
