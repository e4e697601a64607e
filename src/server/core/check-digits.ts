/** Whether the last digit of a GTIN of any length (UPC-A, EAN and GTIN-14 alike) is the one that the others give. */
export function hasGtinCheckDigit(digits: string): boolean {
  // Weights from the right: the check digit itself 1, then 3, 1, 3, …
  return weightedSum(digits, (digit, place) => (place % 2 === 0 ? digit : 3 * digit)) % 10 === 0;
}

/** Whether the last digit is the one that Luhn's method gives, as on gift cards. */
export function hasLuhnCheckDigit(digits: string): boolean {
  const weigh = (digit: number, place: number) => {
    if (place % 2 === 0) return digit;
    return digit < 5 ? 2 * digit : 2 * digit - 9;
  };
  return weightedSum(digits, weigh) % 10 === 0;
}

function weightedSum(digits: string, weigh: (digit: number, place: number) => number): number {
  return [...digits].reverse().reduce((sum, digit, place) => sum + weigh(Number(digit), place), 0);
}

/**
 * The twelve digits of the UPC-A that the eight of a UPC-E (number system, six, check digit) are short for; null if
 * they are not those of a UPC-E. The check digit is taken over, not looked at.
 */
export function expandUpcE(digits: string): string | null {
  const match = /^([01])(\d\d)(\d)(\d)(\d)(\d)(\d)$/.exec(digits);
  if (!match) return null;
  const [, system = '', ab = '', c = '', d = '', e = '', form = '', check = ''] = match;
  return `${system}${withZeros(ab, c, d, e, form)}${check}`;
}

/** The last of the six says where the zeros were that the short form leaves out. */
function withZeros(ab: string, c: string, d: string, e: string, form: string): string {
  if (form <= '2') return `${ab}${form}0000${c}${d}${e}`;
  if (form === '3') return `${ab}${c}00000${d}${e}`;
  if (form === '4') return `${ab}${c}${d}00000${e}`;
  return `${ab}${c}${d}${e}0000${form}`;
}
