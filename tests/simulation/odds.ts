import { chance, choose } from './choices.ts';

/** What acts are about: a seed may have more or less of each. */
const SUBJECTS = [
  'coupons',
  'codes',
  'bids',
  'swaps',
  'rings',
  'ends',
  'claims',
  'people',
  'goodbyes',
  'outside',
] as const;
export type Subject = (typeof SUBJECTS)[number];

/** How a market of one seed is: all that else would be a number in the code. Parts are from 0 to 1. */
export interface Odds {
  /** The part of the steps that fail. */
  readonly faultRate: number;
  /** How many acts begin together at most. */
  readonly actsAtOnce: number;
  /** Hours from one moment to the next. */
  readonly paces: readonly number[];
  /** How many of the cast act, besides the admin. */
  readonly people: number;
  /** The part of the acts that people try although they may not, make twice, or base on what they saw earlier. */
  readonly reckless: number;
  readonly twice: number;
  readonly late: number;
  /** The part of the webhooks that arrive at once. */
  readonly webhooks: number;
  /** The part of disputes that banks decide in one evening. */
  readonly decided: number;
  /** Whether moderators decide claims in their time. */
  readonly isJudged: boolean;
  /** Whether every verdict is right: all codes of a simulation work, so every claim is refused. */
  readonly isRight: boolean;
  /** Whether sellers take their money to their banks on the day they get it, so that none can be taken back. */
  readonly isTaken: boolean;
  /** How many times as often as usual people do what is about each of these. */
  readonly subjects: Readonly<Record<Subject, number>>;
}

/** Mostly few hours, but deadlines have to pass. */
const PACES = [
  [1, 3, 3, 6, 24],
  [2, 4, 6],
  [6, 12, 24],
];
/** What a market is mostly about; the others have something of all. */
const KINDS: readonly Partial<Record<Subject, number>>[] = [
  {},
  {},
  { swaps: 0, rings: 0, bids: 2 },
  { swaps: 0, rings: 0, claims: 5, bids: 2 },
  { bids: 0.1, rings: 0, swaps: 2, claims: 3 },
  { bids: 0, swaps: 0.2, rings: 6, claims: 2 },
  { people: 10 },
  { goodbyes: 10, bids: 2 },
  { outside: 6, bids: 2 },
  { outside: 8, bids: 2, swaps: 0, rings: 0, claims: 3 },
  { codes: 3, coupons: 3 },
];

/**
 * The odds of a seed (swarm testing: one market in which everything is possible hides what happens where something is
 * not).
 */
export function odds(seed: number): Odds {
  const pick = <Choice>(about: string, choices: readonly Choice[]) =>
    choose(chance(seed, 'odds', about), choices);
  const kind = pick('kind', KINDS);
  const subjects = Object.fromEntries(
    SUBJECTS.map((subject) => [subject, kind[subject] ?? 1]),
  ) as Odds['subjects'];
  return {
    faultRate: pick('faults', [0, 0.002, 0.01, 0.01, 0.03]),
    actsAtOnce: pick('acts', [20, 30, 40]),
    paces: pick('paces', PACES),
    people: pick('people', [2, 3, 4, 4, 4, 4]),
    reckless: pick('reckless', [0, 0.1, 0.25, 0.7, 1]),
    twice: pick('twice', [0, 0.1, 0.3]),
    late: pick('late', [0, 0.15, 0.4]),
    webhooks: pick('webhooks', [0.1, 0.5, 0.9]),
    decided: pick('decided', [0.1, 0.3, 0.8]),
    isJudged: pick('judged', [true, true, false]),
    isRight: false,
    isTaken: false,
    subjects,
  };
}

/**
 * The odds of a seed in which people are out for the money of the market (`gains.ts`): they trade and claim, take their money
 * away at once, and neither banks nor providers decide anything.
 */
export function hostileOdds(seed: number): Odds {
  const { subjects, ...usual } = odds(seed);
  return {
    ...{ ...usual, people: 4, isRight: true, isTaken: true },
    subjects: { ...subjects, bids: 2, claims: 5, outside: 0, goodbyes: 0.2 },
  };
}
