import { type Cents, centsToDecimal, decimalToCents } from '#contract/money.ts';

/** Hundredths from what somebody typed ('10', '9.5', ' 9.50 '); null where it is no amount. */
export function parseAmount(text: string): Cents | null {
  try {
    return decimalToCents(text.trim());
  } catch {
    return null;
  }
}

/** An amount as one would type it: '10' or '9.50'. */
export function amountText(cents: Cents): string {
  return centsToDecimal(cents).replace(/\.00$/, '');
}
