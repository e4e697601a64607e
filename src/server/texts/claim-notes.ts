import { t } from '@lingui/core/macro';

/** What we note ourselves where nobody decides a claim; stored like this. */
export const OUR_NOTES = {
  overdue: 'Nobody decided this claim in time.',
  overtaken: 'The buyer has got the money back without a decision.',
} as const;

/** A claim's note for its reader: ours in their language, a moderator's as it was written. */
export function shownNote(note: string | null): string | null {
  if (note === OUR_NOTES.overdue) return t`Nobody decided this claim in time.`;
  return note === OUR_NOTES.overtaken ? t`The buyer has got the money back without a decision.` : note;
}
