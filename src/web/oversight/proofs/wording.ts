import { plural, t } from '@lingui/core/macro';
import { formatDay } from '#contract/base/locale.ts';
import { marketName } from '#contract/base/market.ts';
import type { ExposureEntry, ExposureKind } from '#contract/oversight/proof-lines.ts';
import type { Exposure } from '#contract/oversight/proofs.ts';
import type { Verdict } from './judge.ts';

/** What happened, in words. */
export const KIND_NAMES: Record<ExposureKind, string> = {
  listed: t`Listed`,
  known: t`Recognized: the same code was on ${{ market: marketName() }} before`,
  shown: t`Shown`,
  kept: t`Kept on a device`,
  handed_over: t`Handed over`,
  reissued: t`Issued by the merchant`,
  taken_over: t`Everything above comes from older records`,
};

/** What somebody in a chain is called. @param you the number of the reader; null where they are not in it */
export function personName(
  person: number,
  { you, entries }: { you: number | null; entries: readonly ExposureEntry[] },
): string {
  if (person === you) return t`You`;
  const isLister = person === 1 && entries[0]?.kind !== 'reissued';
  return isLister ? t`The person who listed it` : t`Owner ${person}`;
}

/** One sentence on how many people have had a code. */
export function peopleText({ people, isReissued }: Pick<Exposure, 'people' | 'isReissued'>): string {
  if (isReissued && people <= 1)
    return people === 0
      ? t`The merchant issued this code when the coupon changed hands. Nobody has seen it yet.`
      : t`The merchant issued this code when the coupon changed hands. Only its owner has seen it here.`;
  return people <= 1
    ? t`Here, only its owner has seen it.`
    : plural(people, {
        one: 'Here, # person has had it, its owner included.',
        other: 'Here, # people have had it, its owner included.',
      });
}

/** The verdict on a statement: a title, and what it means. */
export function verdictText(verdict: Verdict): { title: string; text: string; isGood: boolean } {
  switch (verdict.kind) {
    case 'unreadable':
      return {
        title: t`This is not a statement`,
        text: t`Paste the whole text of a statement, from its first to its last letter, or open its file.`,
        isGood: false,
      };
    case 'otherKey':
      return {
        title: t`Another key signed this`,
        text: t`No key of this site has signed it. It comes from another site, or someone made it up.`,
        isGood: false,
      };
    case 'changed':
      return {
        title: t`This statement was changed`,
        text: t`It is not what we signed: something in it was changed afterwards.`,
        isGood: false,
      };
    case 'gone':
      return {
        title: t`Our records have lost this code`,
        text: t`We signed this statement, but our records no longer have anything about this code. All of it was removed.`,
        isGood: false,
      };
    case 'differs':
      return { title: t`Our records were changed`, text: differenceText(verdict.difference), isGood: false };
    case 'true':
      return {
        title: t`This statement is true`,
        text: plural(verdict.statement.length, {
          one: 'We signed it, and our records still begin with its # entry.',
          other: 'We signed it, and our records still begin with exactly its # entries.',
        }),
        isGood: true,
      };
  }
}

function differenceText(difference: Extract<Verdict, { kind: 'differs' }>['difference']): string {
  const { place } = difference;
  switch (difference.kind) {
    case 'removed':
      return plural(difference.count, {
        one: `We signed this statement, but entry ${place} was removed from our records since.`,
        other: `We signed this statement, but # entries were removed from our records since, from entry ${place} on.`,
      });
    case 'added':
      return plural(difference.count, {
        one: `We signed this statement, but an entry was added to our records in front of entry ${place}.`,
        other: `We signed this statement, but # entries were added to our records in front of entry ${place}.`,
      });
    case 'cut':
      return t`We signed this statement, but our records now end before entry ${place}: the rest was removed.`;
    case 'reordered':
      return t`We signed this statement, but our records now have its entries in another order, from entry ${place} on.`;
    case 'altered':
      return t`We signed this statement, but entry ${place} was altered in our records since.`;
  }
}

/** What the daily roots say of a true statement. */
export function rootSentence(root: Extract<Verdict, { kind: 'true' }>['root']): string {
  if (root === null) return t`It is not part of a daily root yet. That happens once a day.`;
  if (root === 'broken')
    return t`But the daily root that should have it does not. Please tell us, and keep the statement.`;
  return t`It is part of the daily root of ${formatDay(root.day)}.`;
}
