import { z } from 'zod';
import { roundAmount } from '#contract/base/base-currency.ts';
import type { Cents } from '#contract/base/money.ts';
import { amountSchema, idSchema, instantSchema } from '#contract/base/primitives.ts';

/** For how many days after the hold an operator can have claims heard (decisions 4.3). 0: there is no guarantee. */
export const GUARANTEE_DAYS = [0, 7, 42, 100] as const;
export type GuaranteeDays = (typeof GUARANTEE_DAYS)[number];

/** One of GUARANTEE_DAYS from its text. @throws Error for others */
export function guaranteeDaysOf(text: string): GuaranteeDays {
  const days = GUARANTEE_DAYS.find((one) => String(one) === text);
  if (days === undefined) throw new Error(`${text} is not one of ${GUARANTEE_DAYS.join(', ')}`);
  return days;
}

export interface GuaranteeSettings {
  readonly days: GuaranteeDays;
  /** The part of ClipSwap's fees that goes to the reserve, a whole number from 0 to 100. */
  readonly reservePercent: number;
}

/** What an installation that sets nothing guarantees. */
export const DEFAULT_GUARANTEE: GuaranteeSettings = { days: 42, reservePercent: 20 };
export const NO_GUARANTEE: GuaranteeSettings = { days: 0, reservePercent: 0 };

/** Late claims that one person can have open or upheld in LATE_CLAIM_DAYS. */
export const LATE_CLAIMS_MAX = 3;
export const LATE_CLAIM_DAYS = 180;
/** What the reserve pays at most for somebody who has no final purchase besides. */
export const firstCover = (): Cents => roundAmount(2_000);
/** The reserve pays at most this part of itself for one person in LATE_CLAIM_DAYS. */
export const RESERVE_SHARES = 4;

/** How long a buyer's claim is heard after the hold, and out of what it is paid. Amounts are decimal texts in the base currency. */
export const coverSchema = z.object({
  /** The end of the cover; before the payment: as it is if the buyer pays now. */
  until: instantSchema,
  /** What the reserve could pay this buyer now, if the seller cannot pay. */
  fromReserve: amountSchema,
});
coverSchema.register(z.globalRegistry, { id: 'Cover' });
export type Cover = z.output<typeof coverSchema>;

/** Null: there is no guarantee, or the coupon expires before the hold is over. */
export const offeredCoverSchema = z.object({ cover: coverSchema.nullable() }).meta({ id: 'OfferedCover' });
export type OfferedCover = z.output<typeof offeredCoverSchema>;

/** The coupon that the caller would buy, or sells. */
export const offeredCoverInputSchema = z.object({
  couponId: idSchema,
  bidId: idSchema.optional().describe('A pending bid on it that the caller would accept'),
});
export type OfferedCoverInput = z.output<typeof offeredCoverInputSchema>;
