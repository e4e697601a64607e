import { it } from 'vitest';
import { shortOrLong } from './rounds.ts';

/**
 * A test of the long form alone. It proves again, slower or in another way, what a test of the short form proves; no
 * document cites it.
 */
export const itLong = it.runIf(shortOrLong(false, true));
