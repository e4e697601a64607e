/** Whether the last digit of a GTIN of any length (UPC-A, EAN, GTIN-14) is its check digit. */
export function hasGtinCheckDigit(digits: string): boolean {
  // Weights from the right: the check digit itself 1, then 3, 1, 3, …
  return weightedSum(digits, (digit, place) => (place % 2 === 0 ? digit : 3 * digit)) % 10 === 0;
}

/** Whether the last digit is the check digit by Luhn's method, as on gift cards. */
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
 * Expands the eight digits of a UPC-E (number system, six digits, check digit) to the twelve of its UPC-A;
 * null if they are no UPC-E. Copies the check digit without checking it.
 */
export function expandUpcE(digits: string): string | null {
  const match = /^([01])(\d\d)(\d)(\d)(\d)(\d)(\d)$/.exec(digits);
  if (!match) return null;
  const [, system = '', ab = '', c = '', d = '', e = '', form = '', check = ''] = match;
  return `${system}${withZeros(ab, c, d, e, form)}${check}`;
}

/** The last of the six digits says which zeros the short form leaves out. */
function withZeros(ab: string, c: string, d: string, e: string, form: string): string {
  if (form <= '2') return `${ab}${form}0000${c}${d}${e}`;
  if (form === '3') return `${ab}${c}00000${d}${e}`;
  if (form === '4') return `${ab}${c}${d}00000${e}`;
  return `${ab}${c}${d}${e}0000${form}`;
}
