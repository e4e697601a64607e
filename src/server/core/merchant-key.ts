/** One text for all spellings of a merchant's name: without regard to case, to forms of letters and to spacing. */
export function merchantKey(merchant: string): string {
  return merchant.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
