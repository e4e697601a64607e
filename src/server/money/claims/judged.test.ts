import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { addHours } from '#server/core/clock.ts';
import { createRandom } from '#tests/support/random.ts';
import { type ClaimRecord, defaultFor, type Side } from './defaults.ts';
import { findingOf, winnerBy } from './redemptions.ts';

/*
 * 2,000 claims between made-up people, of whom 30 % lie, on either side. docs/claims.md shows how many are judged rightly, and
 * by what. All numbers in percent are assumptions about people, and stand there too.
 */

const CLAIMS = 2_000;
const random = createRandom(2026);
const is = (percent: number) => random(100) < percent;
const some = (most: number) => random(most + 1);

interface Person {
  readonly isLiar: boolean;
  readonly record: ClaimRecord;
}

/** Liars have dealt less, and left more behind. Everybody may be new. */
function somebody(): Person {
  const isLiar = is(30);
  const isNew = is(isLiar ? 50 : 30);
  const wellWith = isNew ? 0 : 1 + some(isLiar ? 4 : 14);
  const failed = isNew ? 0 : some(isLiar ? 2 : 0) + Number(is(10));
  const declined = isNew ? 0 : Number(is(isLiar ? 25 : 3));
  return { isLiar, record: { wellWith, failed, declined, defaults: Number(is(5)) } };
}

interface MadeClaim {
  readonly claimant: Person;
  readonly giver: Person;
  /** Who should win. */
  readonly right: Side;
}

/** A claim as it comes about: a liar gives a used code, or claims about a good one; between honest people a code fails by chance. */
function somebodyClaims(): MadeClaim {
  for (;;) {
    const [claimant, giver] = [somebody(), somebody()];
    const isCodeBad = giver.isLiar || is(3);
    if (isCodeBad || claimant.isLiar) return { claimant, giver, right: isCodeBad ? 'claimant' : 'giver' };
  }
}

const HANDED_OVER = new Date('2026-11-01T12:00:00Z');
const SHOWN = addHours(HANDED_OVER, 2);
const used = (at: Date) => ({ count: 1, told: [{ at, place: null }] });
const NEVER = { count: 0, told: [] };

/** For whom the programme's word decides; null: for nobody, or there is no programme. */
function byMerchant({ giver, right }: MadeClaim): Side | null {
  if (!is(30)) return null;
  const exposed = { handedOverAt: HANDED_OVER, shownAt: SHOWN };
  const winner = (uses: Parameters<typeof findingOf>[0], isValid: boolean) =>
    winnerBy(findingOf(uses, isValid, exposed).kind);
  if (right === 'giver') {
    // A liar has used the code, perhaps at once, or wants the money alone.
    if (is(20)) return winner(NEVER, true);
    return winner(used(addHours(SHOWN, is(20) ? 0.5 : 10)), false);
  }
  // Used before, perhaps just before; withdrawn; or used by a giver who has waited until it was seen.
  if (giver.isLiar && is(10)) return winner(used(addHours(SHOWN, 10)), false);
  if (is(15)) return winner(NEVER, false);
  return winner(used(addHours(HANDED_OVER, is(10) ? -0.5 : -100)), false);
}

/** Who wins, and by what. */
function judge(claim: MadeClaim): { by: 'merchant' | 'person' | 'rule'; winner: Side } {
  const { claimant, giver, right } = claim;
  const wrong: Side = right === 'claimant' ? 'giver' : 'claimant';
  const byPerson = { by: 'person', winner: is(85) ? right : wrong } as const;
  const found = byMerchant(claim);
  if (found !== null) {
    // Those who are wronged ask a moderator; of the others some try.
    return is(found === right ? 30 : 80) ? byPerson : { by: 'merchant', winner: found };
  }
  if (is(60)) return byPerson;
  const ended = defaultFor(claimant.record, giver.record, is(giver.isLiar ? 60 : 80));
  return ended === null ? byPerson : { by: 'rule', winner: ended };
}

it('claims are judged as rightly as the document says', () => {
  const claims = Array.from({ length: CLAIMS }, somebodyClaims);
  const judged = claims.map((claim) => ({ ...judge(claim), right: claim.right }));
  const row = (by: string, of: readonly { winner: Side; right: Side }[]) => {
    const rightly = of.filter(({ winner, right }) => winner === right).length;
    return `| ${by} | ${of.length} | ${Math.round((100 * rightly) / of.length)} % |`;
  };
  const rows = [
    ...(['merchant', 'person', 'rule'] as const).map((by) =>
      row(
        by,
        judged.filter((one) => one.by === by),
      ),
    ),
    row(
      'always the claimant',
      claims.map(({ right }) => ({ right, winner: 'claimant' as const })),
    ),
  ];
  const manual = readFileSync('docs/claims.md', 'utf8');
  for (const line of rows) expect(manual).toContain(line);
});
