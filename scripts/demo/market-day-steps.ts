import type { SettingValues } from '#contract/people/settings.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { forecastMarketDay, nextHour, runMarketDay } from '#server/deals/market-days/service.ts';
import { findMatches } from '#server/deals/matches/service.ts';
import { CONSENTS } from './content.ts';
import type { DemoPlan } from './plan.ts';
import { type DemoClient, type DemoState, type DemoStep, lookUp } from './steps.ts';

const DAY_MS = 86_400_000;

/** For how many days people agree to market days to come. */
const AGREED_DAYS = 30;

const { signal } = new AbortController();
const run = (client: DemoClient) => runMarketDay(client.contextOf(null), signal);

/** The latest market day has traded what people had agreed to; the next one is announced with what it would trade. */
export function marketDaySteps(
  state: DemoState,
  plan: DemoPlan,
  { present, setting }: { present: Date; setting: SettingValues['marketDay'] },
): DemoStep[] {
  if (!setting.isOn) return [];
  const last = nextHour(addDays(present, -1), setting);
  const hour = (present.getTime() - last.at.getTime()) / DAY_MS;
  const nextUntil = utcDay(addDays(present, AGREED_DAYS));
  return [
    // A day before its hour, so that the daily root between has the hash of its seed.
    { daysAgo: hour + 0.9, run },
    ...agreements(state, plan, { on: 'last', daysAgo: hour + 0.5, until: last.day }),
    {
      daysAgo: hour,
      async run(client) {
        await findMatches(client.contextOf(null));
        await run(client);
      },
    },
    ...farewells(state, plan, hour * 0.7),
    ...agreements(state, plan, { on: 'next', daysAgo: hour / 2, until: nextUntil }),
    {
      daysAgo: 0,
      async run(client) {
        await findMatches(client.contextOf(null));
        await run(client);
        await forecastMarketDay(client.contextOf(null), signal);
      },
    },
  ];
}

/** People agree to give a coupon for one of a merchant without being asked. */
function agreements(
  state: DemoState,
  plan: DemoPlan,
  { on, daysAgo, until }: { on: 'last' | 'next'; daysAgo: number; until: string },
): DemoStep[] {
  return CONSENTS.filter((consent) => consent.on === on).map(({ by, looksFor, gives }) => ({
    daysAgo,
    async run(client) {
      const coupon = plan.coupons.find(({ offer }) => offer.title === gives);
      if (coupon?.owner.username !== by) throw new Error(`${by} has no demo coupon “${gives}”`);
      const { wants, marketDays } = client.callsOf(lookUp(state.people, coupon.owner));
      const couponIds = [lookUp(state.coupons, coupon)];
      const want = await wants.create({ merchant: looksFor, gives: 'some', giftIds: couponIds });
      const terms = { minValue: null, minHealth: 0, times: 1, until };
      await marketDays.consentForWant({ wantId: want.id, couponIds, ...terms });
    },
  }));
}

/** Who got what they looked for takes it off their wish list. */
function farewells(state: DemoState, { people }: DemoPlan, daysAgo: number): DemoStep[] {
  return CONSENTS.filter(({ on }) => on === 'last').flatMap(({ by, looksFor }) => {
    const person = people.find(({ username }) => username === by);
    if (!person) return [];
    return {
      daysAgo,
      async run(client) {
        const { wants } = client.callsOf(lookUp(state.people, person));
        const done = (await wants.list()).find(({ merchant }) => merchant === looksFor);
        if (done) await wants.remove({ id: done.id });
      },
    };
  });
}
