import { t } from '@lingui/core/macro';
import { withoutInvisible } from './invisible.ts';

/** What a text on one line may hold: titles, names of merchants, names of passkeys. */

/** Runs of blanks become one space. Line breaks are no blanks: `lineProblem` refuses them. */
export function foldBlanks(text: string): string {
  return text.replace(/[\t\p{Zs}]+/gu, ' ').trim();
}

const LINE_BREAKS = /[\n\v\f\r\u0085\p{Zl}\p{Zp}]/u;

const WEB_ADDRESS = /\p{L}:\/\/|\bhttps?:|\bwww\.|[\p{L}\p{N}]\.\p{L}[\p{L}\p{M}]+([/?#]\w|\/|:\d)/iu;

/**
 * Why a text cannot stand on one line; null if it can. A bare domain can: it is the name of some merchants
 * (Booking.com). Our mails break it, so that no mail program makes a link of it.
 */
export function lineProblem(text: string): string | null {
  if (LINE_BREAKS.test(text)) return t`Must not contain line breaks`;
  if (/\p{Cc}/u.test(text) || withoutInvisible(text) !== text)
    return t`Contains invisible characters: type it instead of pasting it`;
  const plain = text.normalize('NFKC');
  if (WEB_ADDRESS.test(plain) || plain.split(/\s/).some(hasMailAddress))
    return t`Must not contain a web or email address`;
  return null;
}

function hasMailAddress(word: string): boolean {
  const at = word.indexOf('@', 1);
  return at !== -1 && /.\.\p{L}{2}/u.test(word.slice(at + 1));
}

/**
 * The text with its web and e-mail addresses written so that no program makes links of them: `evil[.]com`. For mails,
 * whose programs turn bare addresses into links.
 */
export function withoutLinks(text: string): string {
  return text.replace(/:(?=\/\/)/g, '[:]').replace(/(?<=\S)[.．｡](?=\p{L}[\p{L}\p{M}])/gu, '[.]');
}
