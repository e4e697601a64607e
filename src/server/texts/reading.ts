// Each of these modules makes its texts known.
import './bids.ts';
import './coupons.ts';
import './deals.ts';
import './exchanges.ts';
import './mails.ts';
import './money.ts';
import './oversight.ts';
import './people.ts';
import { type StoredText, textOf } from './stored.ts';

/**
 * A stored text for its reader, in the language that is spoken right now.
 * @param text null: it was written before texts were stored by their kinds
 * @param english its words when it was written; they stand in where this version does not know the text
 */
export function read(text: unknown, english: string): string {
  if (text === null) return english;
  try {
    return textOf(text as StoredText);
  } catch {
    // A newer version wrote it, or an older one with other parameters. One line must not cost the reader the list.
    return english;
  }
}
