import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { type Language, language, toLanguage } from '#contract/base/i18n.ts';
import { ofField } from '#contract/base/input-texts.ts';
import { discountPercentText } from '#contract/base/locale.ts';
import { baseCurrency, formatMoney } from '#contract/base/money.ts';
import { idSchema } from '#contract/base/primitives.ts';
import { RING_PEOPLE } from '#contract/deals/deals.ts';
import { type Coupon, couponSchema } from './coupons.ts';
import { isExpired } from './days-left.ts';
import { bytesSchema } from './images.ts';

/** Drawn tickets: of each coupon and of the site for link previews, and of closed rings, to share. */
export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;

/** Part of each address: a new drawing needs new addresses, since browsers and networks keep the old ones. */
const DESIGN = 3;

const PREFIX = '/api/cards/';

const shownCouponSchema = couponSchema.pick({ id: true, updatedAt: true });
type ShownCoupon = z.output<typeof shownCouponSchema>;

/** The address of a coupon's ticket as the coupon is now, or of the site's (null). */
export function cardPath(coupon: ShownCoupon | null): string {
  const name = coupon === null ? 'site' : `${coupon.id}-${Date.parse(coupon.updatedAt)}`;
  return addressOf(name);
}

/** The address of the ticket of a ring of so many people. It tells nothing else of the ring. */
export const ringCardPath = (people: number) => addressOf(`ring.${people}`);

/** The ticket in the language that is spoken right now. */
const addressOf = (name: string) =>
  `${PREFIX}${name}${language() === 'en' ? '' : `-${language()}`}-v${DESIGN}.png`;

/** The language of a ticket, by its file name. */
export function languageOfCard(file: string): Language {
  return toLanguage(/-([a-z]+)-v\d+\.png$/.exec(file)?.[1] ?? 'en');
}

/** How many people the ring in a ticket's file name has; null: there is none. */
export function peopleOfRingCard(file: string): number | null {
  const people = Number(/^ring\.(\d)-/.exec(file)?.[1]);
  return people >= RING_PEOPLE.min && people <= RING_PEOPLE.max ? people : null;
}

/** The coupon in a ticket's file name; null: there is none. */
export function couponOfCard(file: string): number | null {
  const { data } = idSchema.safeParse(Number(/^(\d{1,10})-/.exec(file)?.[1]));
  return data ?? null;
}

/** Whether a coupon has a ticket of its own: it can be had today. */
export function isOnOffer(coupon: Pick<Coupon, 'isActive' | 'expiresAt'>, now: Date): boolean {
  return coupon.isActive && !isExpired(coupon, now);
}

/** '20.00%' or '$25.00 CAD'; null for a public code whose feed states no value. */
export function discountText({ value, discountType }: Pick<Coupon, 'value' | 'discountType'>): string | null {
  if (value === 0) return null;
  return discountType === 'percentage' ? discountPercentText(value) : formatMoney(value, baseCurrency());
}

export const cardInputSchema = z.object({
  file: z.string().regex(/^[\w.-]{1,60}$/, { error: ofField(() => t`Is not the name of a drawn ticket`) }),
});

/** The ticket's address today, and its PNG if the asked file is its name. */
export const cardSchema = z.object({ path: z.string(), bytes: bytesSchema.nullable() });
