/** In it, a page states with each call the fees that it shows: nobody accepts others than they have seen. */
export const FEES_HEADER = 'x-fee-rates';
