import type { FindingKind } from '#contract/money/claims.ts';
import { addHours, earliest } from '#server/core/clock.ts';
import type { Redemptions } from '#server/providers/validators/adapter.ts';
import type { Side } from './defaults.ts';

/*
 * What the uses of a code say about a claim (decisions 4.3): whoever could see the code when it was used. docs/claims.md
 * explains it.
 */

/** Two clocks may differ, and people use a code in the minute in which they get it: nearer than this is no evidence. */
const ALLOWANCE_HOURS = 1;

/** When whoever claims could have used a code. */
export interface Exposed {
  /** When the coupon came to them; they had never seen the code before. */
  readonly handedOverAt: Date;
  /** When they, or a device of theirs, got the code first; null: never. */
  readonly shownAt: Date | null;
}

/** What the uses of a code say. */
export interface Finding {
  readonly kind: FindingKind;
  /** The first use whose time is told. */
  readonly redeemedAt: Date | null;
  /** Where that was, in the programme's words. */
  readonly place: string | null;
  /** What `redeemedAt` lies before or after. */
  readonly comparedAt: Date | null;
}

/**
 * Compares the uses of a code with who could see it when.
 * @param isValid whether the programme accepts the code now
 */
export function findingOf(redemptions: Redemptions, isValid: boolean, exposed: Exposed): Finding {
  const { count, told } = redemptions;
  const { handedOverAt, shownAt } = exposed;
  const nothing = { redeemedAt: null, place: null, comparedAt: null };
  if (count === 0) return { kind: isValid ? 'works' : 'refused', ...nothing };
  const redeemedAt = earliest(told.map(({ at }) => at));
  if (redeemedAt === null) return { kind: 'unclear', ...nothing };
  const place = told.find(({ at }) => at.getTime() === redeemedAt.getTime())?.place ?? null;
  const are = (test: (at: Date) => boolean) => count === told.length && told.every(({ at }) => test(at));
  const found = { redeemedAt, place };
  // A code that still works after its uses was good when it was given.
  if (!isValid && are((at) => at < addHours(handedOverAt, -ALLOWANCE_HOURS)))
    return { kind: 'redeemed_before', ...found, comparedAt: handedOverAt };
  if (shownAt !== null && are((at) => at > addHours(shownAt, ALLOWANCE_HOURS)))
    return { kind: 'redeemed_after', ...found, comparedAt: shownAt };
  return { kind: 'unclear', ...found, comparedAt: null };
}

const WINNERS: Readonly<Record<FindingKind, Side | null>> = {
  redeemed_before: 'claimant',
  redeemed_after: 'giver',
  works: 'giver',
  refused: null,
  unclear: null,
};

/** For whom a finding decides a claim; null: a person has to decide. */
export const winnerBy = (kind: FindingKind): Side | null => WINNERS[kind];
