import { type Evidence, healthOf, type Report } from '#server/deals/health/figure.ts';
import { createRandom } from './random.ts';

/**
 * A market without a database, for the formula of health alone: 400 people, 2,000 codes on offer, and what was said of
 * them. Every tenth seller is a bad one: 60 % of their codes do not work, and 8 % of the others'. Three bad codes of ten
 * have died in the last month. An honest report is wrong in one case of twenty. All numbers are in docs/health.md.
 */

export interface MarketSettings {
  readonly seed: number;
  /** The share of people who lie, from 0 to 1. */
  readonly liars: number;
  /** `invert`: they say the contrary of what is true; `careful`: only where no programme is; `praise`: all works. */
  readonly lies: 'invert' | 'careful' | 'praise';
  /** The share of codes whose merchants have a programme that is asked. */
  readonly programmes: number;
  /** The share of reported failures that somebody asks a moderator about. */
  readonly claims: number;
  /** Sellers who praise each other’s codes, of which 70 % do not work. */
  readonly ring: number;
}

/** The share of bad codes, from 0 to 1: of all, and of the 50 best by each order. */
export interface MarketOutcome {
  readonly all: number;
  /** By the share of reports that say it works: in any order among equals, and those with most reports first. */
  readonly byAverage: number;
  readonly byAverageOfMost: number;
  readonly byHealth: number;
  /** How many of the 50 most reliable are the ring's. */
  readonly ringInBest: number;
}

const PEOPLE = 400;
const CODES = 2_000;
const RING_CODES = 15;
const BEST = 50;
const DAYS = 90;

interface Person {
  readonly isLiar: boolean;
  readonly isBadSeller: boolean;
  agreed: number;
  disagreed: number;
  claimsLost: number;
  readonly partners: number;
}

interface Code {
  readonly seller: Person;
  readonly isOfRing: boolean;
  readonly isBad: boolean;
  /** Before so many days it worked. */
  readonly diedDays: number;
  readonly listedDays: number;
  readonly checkedDays: number | null;
  readonly hasProgramme: boolean;
  readonly said: { readonly by: Person; readonly report: Omit<Report, 'agreed' | 'disagreed'> }[];
}

/** Plays one market. */
export function playMarket({ seed, liars, lies, programmes, claims, ring }: MarketSettings): MarketOutcome {
  const random = createRandom(seed);
  const chance = (share: number) => random(1_000_000) < share * 1_000_000;
  const between = (low: number, high: number) => low + (random(1_000_000) / 1_000_000) * (high - low);

  const people: Person[] = Array.from({ length: PEOPLE }, () => ({
    isLiar: chance(liars),
    isBadSeller: chance(0.1),
    agreed: 0,
    disagreed: 0,
    claimsLost: 0,
    partners: random(12),
  }));
  const pick = (from: readonly Person[]) => from[random(from.length)] as Person;
  const ringPeople = Array.from(
    { length: ring },
    (): Person => ({
      ...{ isLiar: true, isBadSeller: true, agreed: 0, disagreed: 0, claimsLost: 0 },
      // They are each other's partners, and have dealt with some victims.
      partners: ring + random(5),
    }),
  );

  const createCode = (seller: Person, isOfRing: boolean): Code => {
    const isBad = chance(isOfRing ? 0.7 : seller.isBadSeller ? 0.6 : 0.08);
    const hasProgramme = chance(programmes);
    const listedDays = between(0, DAYS);
    return {
      ...{ seller, isOfRing, isBad, hasProgramme, listedDays },
      diedDays: !isBad ? -1 : chance(0.3) ? between(0, 30) : 1_000,
      // Not all have had their turn.
      checkedDays: hasProgramme && chance(0.7) ? between(0, 40) : null,
      said: [],
    };
  };
  const codes = Array.from({ length: CODES }, () => createCode(pick(people), false));
  for (const seller of ringPeople)
    for (let n = 0; n < RING_CODES; n += 1) codes.push(createCode(seller, true));

  // Equals come in any order.
  for (let at = codes.length - 1; at > 0; at -= 1) {
    const other = random(at + 1);
    [codes[at], codes[other]] = [codes[other] as Code, codes[at] as Code];
  }

  const worksAt = (code: Code, days: number) => !code.isBad || days > code.diedDays;
  for (const code of codes) {
    // Codes change hands seldom: most have had up to three owners.
    const reporters = code.isOfRing ? random(2) : random(5);
    for (let n = 0; n < reporters; n += 1) {
      const by = pick(people);
      const ageDays = between(0, DAYS);
      const truth = worksAt(code, ageDays);
      const isHonest = !by.isLiar || (lies === 'careful' && code.hasProgramme);
      const worked = isHonest ? truth !== chance(0.05) : lies === 'praise' || !truth;
      const otherDeals = random(8);
      const outsideDeals = Math.round(otherDeals * between(0.7, 1));
      code.said.push({
        by,
        report: { worked, ageDays, isByOwner: false, dealsWithOwner: 1, otherDeals, outsideDeals },
      });
      judge(code, by, worked, ageDays);
      // Moderators are right about seven claims of eight.
      if (!worked && chance(claims)) {
        const isUpheld = chance(0.875) !== truth;
        by[isUpheld ? 'agreed' : 'disagreed'] += 1;
        if (isUpheld) code.seller.claimsLost += 1;
      }
    }
    if (!code.isOfRing) continue;
    // Each code is praised by three of the others, who deal mostly with each other.
    for (const by of [1, 2, 3].map(() => pick(ringPeople.filter((one) => one !== code.seller)))) {
      const ageDays = between(0, 30);
      const [otherDeals, outsideDeals] = [20 + random(10), 2 + random(4)];
      const dealsWithOwner = 2 + random(3);
      code.said.push({
        by,
        report: { worked: true, ageDays, isByOwner: false, dealsWithOwner, otherDeals, outsideDeals },
      });
      judge(code, by, true, ageDays);
    }
  }

  /** Who was right, as the database counts it (`countRecords`). */
  function judge(code: Code, by: Person, worked: boolean, ageDays: number): void {
    if (code.checkedDays === null) return;
    const isValid = worksAt(code, code.checkedDays);
    const isLater = code.checkedDays < ageDays;
    if (worked && isLater && isValid) by.agreed += 1;
    else if (worked && !isLater && !isValid) by.disagreed += 1;
    else if (!worked && !isValid) by.agreed += 1;
    else if (!worked && isLater && isValid) by.disagreed += 1;
  }

  const evidenceOf = ({ seller, checkedDays, listedDays, said, ...code }: Code): Evidence => ({
    verdict:
      checkedDays === null
        ? null
        : {
            isValid: worksAt({ seller, checkedDays, listedDays, said, ...code }, checkedDays),
            ageDays: checkedDays,
          },
    reissuedDays: null,
    listedDays,
    seller: { partners: seller.partners, claimsLost: seller.claimsLost, claimsWon: 0 },
    reports: said.map(({ by, report }) => ({ ...report, agreed: by.agreed, disagreed: by.disagreed })),
  });
  const averageOf = ({ said }: Code) =>
    said.length === 0 ? -1 : said.filter(({ report }) => report.worked).length / said.length;

  const best = (rank: (code: Code) => number, isMostFirst: boolean) => {
    const ranked = codes.map((code) => ({ code, rank: rank(code) }));
    const more = (one: Code, other: Code) => (isMostFirst ? other.said.length - one.said.length : 0);
    ranked.sort((one, other) => other.rank - one.rank || more(one.code, other.code));
    return ranked.slice(0, BEST).map(({ code }) => code);
  };
  const badIn = (some: readonly Code[]) => some.filter(({ isBad }) => isBad).length / some.length;
  const byHealth = best((code) => healthOf(evidenceOf(code)).health ?? -1, false);
  return {
    all: badIn(codes),
    byAverage: badIn(best(averageOf, false)),
    byAverageOfMost: badIn(best(averageOf, true)),
    byHealth: badIn(byHealth),
    ringInBest: byHealth.filter(({ isOfRing }) => isOfRing).length,
  };
}
