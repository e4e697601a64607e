import { rectifyConfusion } from 'unicode-confusables';

/**
 * How names, merchants and codes are compared: what looks alike is the same. Texts that are searched are folded by
 * `fold_text` of the database instead. Nothing here depends on a locale. Whoever changes a form here raises
 * `CODE_FORM`, so that the stored fingerprints are made again. `users.skeleton` is stored too: a change for ASCII letters
 * needs a migration.
 */
export const CODE_FORM = 1;

/** Compatibility forms, accents and invisible characters do not count. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '');
}

/**
 * What a text looks like (Unicode TR 39): letters and digits alone, without case, separators and accents; o and 0, i, l
 * and 1, rn and m, vv and w, and the look-alike letters of other scripts are the same.
 */
export function skeleton(text: string): string {
  // Signs first: some look like letters.
  const given = plain(text).replace(/[^\p{L}\p{N}]/gu, '');
  // In a Latin text, the letters of other scripts look Latin. A Greek one has its own capitals.
  const seen = /[a-z]/i.test(given) ? rectifyConfusion(given) : given;
  // Capitals first: they make I of i.
  const capitals = plain(rectifyConfusion(seen.toUpperCase()));
  return rectifyConfusion(capitals.toLowerCase())
    .toLowerCase()
    .replaceAll('vv', 'w')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

const COMPANY = new Set(
  `inc incorporated corp corporation co company llc llp ltd ltda limited ltee limitee plc gmbh mbh ag kg kgaa ohg ug eg
  se sa sas sarl srl bv nv oy oyj ab as asa aps sro pty pte pvt kk cv de`.split(/\s+/),
);
const SITE =
  /^(?:https?:\/\/)?(?:www\.)?|\.(?:com|net|org|ca|us|eu|de|fr|it|es|shop|store|co\.uk|com\.au)\/*$/g;

/**
 * One form for all spellings of a merchant's name: its skeleton, without the company's legal form and without what its
 * website adds to it.
 */
export function canonicalMerchant(merchant: string): string {
  const words = plain(merchant)
    .toLowerCase()
    .trim()
    .replace(SITE, '')
    .replace(/[&+]/g, ' and ')
    // S.A. and L.L.C. are one word each, and so is O'Neill.
    .replace(/[.'’‘`´]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  while (words.length > 1 && (COMPANY.has(words.at(-1) ?? '') || words.at(-1) === 'and')) words.pop();
  return skeleton(words.join('')) || merchant.normalize('NFKC').trim();
}

/** One form for all spellings of a code: its letters and digits, in capitals, where what looks alike is the same. */
export function canonicalCode(code: string): string {
  return (skeleton(code) || code.normalize('NFKC').replace(/\s/g, '')).toUpperCase();
}
