/** The application identifiers that are read. */
const IDENTIFIERS = ['8110', '8112', '01'] as const;
const COUPON_IDENTIFIERS = ['8110', '8112'] as const;

/** A code that says what it is, or digits that may be the number of a barcode. */
type Spelling =
  | { readonly kind: (typeof IDENTIFIERS)[number]; readonly data: string }
  | { readonly kind: 'digits'; readonly digits: string };

/** What scanners put before GS1 data, by symbology: DataBar, Code 128, Data Matrix, QR, DotCode. */
const SYMBOLOGY = /^\](?:e0|C1|d2|Q3|J1)/;
/** FNC1, as scanners send it and as people write it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the group separator is what is sent for FNC1
const SEPARATOR = /\u001d|<GS>|<FNC1>|\{GS\}|\{FNC1\}|\[FNC1\]/i;

/** The shortest coupon of either kind has 21 digits after its identifier. */
const MIN_COUPON_LENGTH = 25;
const GTIN_LENGTH = 14;

/** Recognises a standard code in the ways that scanners and people write it, spaces left out; null if it is none. */
export function readSpelling(code: string): Spelling | null {
  const text = code.replaceAll(/\s/g, '');
  const elements = text.replace(SYMBOLOGY, '').split(SEPARATOR);
  const isMarked = elements.length > 1 || SYMBOLOGY.test(text);
  const element = elements.find((part) => part !== '') ?? '';
  const isDigits = /^\d+$/.test(element);

  const bracketed = IDENTIFIERS.find((identifier) => element.startsWith(`(${identifier})`));
  if (bracketed) return { kind: bracketed, data: element.slice(bracketed.length + 2).split('(')[0] ?? '' };

  const coupon = COUPON_IDENTIFIERS.find((identifier) => element.startsWith(identifier));
  // Somebody else's number may begin with these digits too: it takes a sign, or the length of a coupon.
  if (coupon && (isMarked || (isDigits && element.length >= MIN_COUPON_LENGTH))) {
    return { kind: coupon, data: element.slice(coupon.length) };
  }
  if (!isMarked) return isDigits ? { kind: 'digits', digits: element } : null;
  return element.startsWith('01') ? { kind: '01', data: element.slice(2, 2 + GTIN_LENGTH) } : null;
}
