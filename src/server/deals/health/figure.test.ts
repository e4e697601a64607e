import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type MarketOutcome, type MarketSettings, playMarket } from '#tests/support/simulated-market.ts';
import {
  type Evidence,
  healthOf,
  listedFigure,
  lowerBound,
  type Report,
  trustIn,
  weightOf,
} from './figure.ts';

const NOTHING: Evidence = {
  verdict: null,
  reissuedDays: null,
  listedDays: 1,
  seller: { partners: 0, claimsLost: 0, claimsWon: 0 },
  reports: [],
};
const TRUSTED: Report = {
  ...{ worked: true, ageDays: 1, agreed: 20, disagreed: 0, isByOwner: false },
  ...{ dealsWithOwner: 1, otherDeals: 10, outsideDeals: 10 },
};
const figure = (given: Partial<Evidence>) => healthOf({ ...NOTHING, ...given }).health ?? -1;
const confirmed = (ageDays: number) => ({ verdict: { isValid: true, ageDays } });

describe('the figure of a code', () => {
  it('is none where nothing is known of the code itself', () => {
    const seller = { partners: 50, claimsLost: 0, claimsWon: 3 };
    expect(healthOf({ ...NOTHING, seller, listedDays: 400 })).toEqual({ health: null, reasons: [] });
    const ownWord = { ...TRUSTED, isByOwner: true };
    expect(figure({ seller, reports: [ownWord, ownWord] })).toBe(-1);
  });

  it('is from 0 to 100, and the more certain the more is known', () => {
    const one = figure({ reports: [TRUSTED] });
    const five = figure({ reports: Array(5).fill(TRUSTED) });
    const most = figure({
      ...confirmed(0),
      reissuedDays: 0,
      reports: Array(50).fill(TRUSTED),
      seller: { partners: 99, claimsLost: 0, claimsWon: 9 },
    });
    const least = figure({
      verdict: { isValid: false, ageDays: 0 },
      reports: Array(50).fill({ ...TRUSTED, worked: false }),
      seller: { partners: 0, claimsLost: 99, claimsWon: 0 },
    });
    expect([one < five, five < most, most <= 100, least >= 0, least < 5]).toEqual(Array(5).fill(true));
  });

  it('falls as its evidence ages, in steps, but a “no” of the programme does not fade', () => {
    const ages = [0, 2, 3, 7, 8, 30, 31, 90, 91].map((age) => figure(confirmed(age)));
    expect(ages).toEqual([...ages].sort((one, other) => other - one));
    expect(new Set(ages).size).toBe(5);
    const refused = (ageDays: number) => figure({ verdict: { isValid: false, ageDays }, reissuedDays: 100 });
    expect(refused(300)).toBe(refused(0));
  });

  it('falls with claims that the seller has lost, failures, and long silence', () => {
    const base = figure(confirmed(40));
    const seller = { partners: 0, claimsLost: 1, claimsWon: 0 };
    expect(figure({ ...confirmed(40), seller })).toBeLessThan(base);
    expect(figure({ ...confirmed(40), reports: [{ ...TRUSTED, worked: false }] })).toBeLessThan(base);
    expect(figure({ ...confirmed(100), listedDays: 120 })).toBeLessThan(
      figure({ ...confirmed(100), listedDays: 80 }),
    );
    expect(
      figure({ ...confirmed(40), seller: { partners: 10, claimsLost: 0, claimsWon: 4 } }),
    ).toBeGreaterThan(base);
  });

  it('says why, what weighs most first', () => {
    const { reasons } = healthOf({
      verdict: { isValid: true, ageDays: 3.7 },
      reissuedDays: 2,
      listedDays: 3,
      seller: { partners: 3, claimsLost: 2, claimsWon: 0 },
      reports: [TRUSTED, { ...TRUSTED, worked: false, agreed: 0 }, { ...TRUSTED, isByOwner: true }],
    });
    expect(reasons).toEqual([
      { kind: 'reissued', days: 2 },
      { kind: 'confirmed', days: 3 },
      { kind: 'claimsLost', claims: 2 },
      { kind: 'worked', people: 1 },
      { kind: 'deals', people: 3 },
      { kind: 'failed', people: 1 },
    ]);
  });
});

describe('the weight of a report', () => {
  it('grows with how often its author was right, and is nothing for who is mostly wrong', () => {
    expect(trustIn({ agreed: 0, disagreed: 0 })).toBeCloseTo(0.4);
    expect(trustIn({ agreed: 100, disagreed: 0 })).toBeGreaterThan(0.95);
    expect(trustIn({ agreed: 0, disagreed: 2 })).toBe(0);
    expect(weightOf({ ...TRUSTED, ageDays: 60 })).toBeLessThan(weightOf(TRUSTED));
  });

  it('is little for the owner, the owner’s regulars and people without another deal', () => {
    const full = weightOf(TRUSTED);
    expect(weightOf({ ...TRUSTED, isByOwner: true })).toBeCloseTo(full / 10);
    expect(weightOf({ ...TRUSTED, otherDeals: 0, outsideDeals: 0 })).toBeCloseTo(full / 4);
    expect(weightOf({ ...TRUSTED, dealsWithOwner: 4, outsideDeals: 2 })).toBeCloseTo(full / 20);
  });
});

it('the lower bound is Wilson’s', () => {
  // With z = 1.2816: 8 of 10, and 80 of 100, from the published formula.
  expect(lowerBound({ worked: 8, failed: 2 })).toBeCloseTo(0.6011, 3);
  expect(lowerBound({ worked: 80, failed: 20 })).toBeCloseTo(0.7441, 3);
  expect(lowerBound({ worked: 0, failed: 3 })).toBe(0);
});

describe('in simulated markets', () => {
  const SEEDS = [1, 2, 3, 4, 5, 6];
  const LIARS = [0, 0.1, 0.3, 0.5, 0.7];
  const MARKETS = {
    'programmes for 40 % of codes, claims about 20 % of failures': { programmes: 0.4, claims: 0.2 },
    'no programme, claims about 20 % of failures': { programmes: 0, claims: 0.2 },
    'no programme and no claims': { programmes: 0, claims: 0 },
  };
  type Name = keyof typeof MARKETS;

  function play(given: Omit<MarketSettings, 'seed' | 'lies' | 'ring'>) {
    const played = SEEDS.map((seed) => playMarket({ ...given, seed, lies: 'invert', ring: 8 }));
    const mean = (of: keyof MarketOutcome) => played.reduce((sum, one) => sum + one[of], 0) / played.length;
    return {
      all: mean('all'),
      byAverage: mean('byAverage'),
      byAverageOfMost: mean('byAverageOfMost'),
      byHealth: mean('byHealth'),
      ringInBest: mean('ringInBest'),
    };
  }
  const outcomes = new Map<string, MarketOutcome>();
  const outcome = (market: Name, liars: number) => {
    const key = `${market} ${liars}`;
    const known = outcomes.get(key) ?? play({ ...MARKETS[market], liars });
    outcomes.set(key, known);
    return known;
  };

  it.each(LIARS.filter((liars) => liars <= 0.3))(
    'with %d of people lying, a ring, and somebody who can say who is right, few of the 50 best are bad',
    (liars) => {
      for (const market of Object.keys(MARKETS).slice(0, 2) as Name[]) {
        const { all, byAverage, byHealth } = outcome(market, liars);
        expect(byHealth).toBeLessThan(all / 4);
        expect(byHealth).toBeLessThan(byAverage);
      }
    },
  );

  it('where nobody says who is right, it misleads once half of the people lie', () => {
    const market = 'no programme and no claims';
    for (const liars of [0, 0.1, 0.3]) {
      const { all, byHealth } = outcome(market, liars);
      expect(byHealth).toBeLessThan(all / 2);
    }
    const { all, byHealth } = outcome(market, 0.5);
    expect(byHealth).toBeGreaterThan(all);
  });

  it('docs/health.md has what they show', () => {
    const share = (value: number) => `${(100 * value).toFixed(1)} %`;
    const rows = (Object.keys(MARKETS) as Name[]).flatMap((market) =>
      LIARS.map((liars) => {
        const { all, byAverage, byAverageOfMost, byHealth, ringInBest } = outcome(market, liars);
        const shares = [all, byAverage, byAverageOfMost, byHealth].map(share);
        return `| ${[market, `${100 * liars} %`, ...shares, ringInBest.toFixed(1)].join(' | ')} |`;
      }),
    );
    const docs = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/health.md'), 'utf8');
    const table = docs.split('\n').filter((line) => /^\| (?:no programme|programmes)/.test(line));
    expect(table).toEqual(rows);
  });
});

describe('the figure that lists sort by', () => {
  it.each([
    { health: null, stored: null, listed: null },
    { health: null, stored: 70, listed: null },
    { health: 0, stored: null, listed: 0 },
    { health: 72, stored: null, listed: 70 },
    { health: 73, stored: null, listed: 75 },
    { health: 98, stored: null, listed: 100 },
    { health: 72, stored: 70, listed: 70 },
    { health: 73, stored: 70, listed: 75 },
    { health: 68, stored: 70, listed: 70 },
    { health: 67, stored: 70, listed: 65 },
    { health: 2, stored: 0, listed: 0 },
    // Stored in single steps once.
    { health: 73, stored: 71, listed: 71 },
    { health: 74, stored: 71, listed: 75 },
  ])('of $health, where $stored is stored, is $listed', ({ health, stored, listed }) => {
    expect(listedFigure(health, stored)).toBe(listed);
  });

  it('is at most two away, and changes no more once it is stored', () => {
    const all = Array.from({ length: 101 }, (_, figure) => figure);
    for (const health of all)
      for (const stored of [null, ...all]) {
        const listed = listedFigure(health, stored) ?? -1;
        expect(Math.abs(listed - health)).toBeLessThanOrEqual(2);
        expect(listedFigure(health, listed)).toBe(listed);
      }
  });
});
