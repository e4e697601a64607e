import { t } from '@lingui/core/macro';
import { quote } from '#contract/base/words.ts';

/** What we note ourselves where nobody decides a claim; stored like this. */
export const OUR_NOTES = {
  overdue: 'Nobody decided this claim in time.',
  byDefault: 'Nobody decided this claim in time, so it has ended by our rule for such claims.',
  byFinding: 'What the merchant says about the code has decided this claim.',
  overtaken: 'The buyer has got the money back without a decision.',
} as const;

/** A claim's note for its reader: ours in their language, a moderator's as it was written. */
export function shownNote(note: string | null): string | null {
  if (note === OUR_NOTES.overdue) return t`Nobody decided this claim in time.`;
  if (note === OUR_NOTES.byDefault)
    return t`Nobody decided this claim in time, so it has ended by our rule for such claims.`;
  if (note === OUR_NOTES.byFinding) return t`What the merchant says about the code has decided this claim.`;
  return note === OUR_NOTES.overtaken ? t`The buyer has got the money back without a decision.` : note;
}

/** Why a claim was decided, as a sentence: a moderator's words, or ours. Null: nobody says why. */
export function noteText(note: string | null): string | null {
  const isOwn = note === OUR_NOTES.byDefault || note === OUR_NOTES.byFinding;
  const own = isOwn ? shownNote(note) : null;
  return own ?? (note === null ? null : t`A moderator writes: ${quote(note)}`);
}
