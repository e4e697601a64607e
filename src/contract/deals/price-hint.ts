import { z } from 'zod';

/** A hint tells of at least so many people, so that it tells of none of them. */
export const PRICE_HINT_PEOPLE = 5;

/** How far back it looks, in days. */
export const PRICE_HINT_DAYS = 365;

/** What coupons of one merchant have sold for, in per cent of their value. */
export const priceHintSchema = z.object({
  low: z.int().describe('A quarter of the people got less'),
  high: z.int().describe('A quarter of the people got more'),
  people: z.int().min(PRICE_HINT_PEOPLE).describe('How many people have sold'),
});
priceHintSchema.register(z.globalRegistry, { id: 'PriceHint' });
export type PriceHint = z.output<typeof priceHintSchema>;
