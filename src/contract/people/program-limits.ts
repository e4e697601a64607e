/** What programs are held to, for pages that need nothing else of keys. */

/** How often a program may accept an asking price: once in so many minutes. */
export const PROGRAM_BUYS_EACH_MINUTES = 10;

/** How often a key may be used. */
export const API_KEY_READS_A_MINUTE = 300;
export const API_KEY_WRITES_A_MINUTE = 60;
