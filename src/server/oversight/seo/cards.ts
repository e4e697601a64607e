import { t } from '@lingui/core/macro';
import { GROUNDS } from '#contract/base/grounds.ts';
import { formatDay } from '#contract/base/locale.ts';
import { marketName } from '#contract/base/market.ts';
import { baseCurrency, signedMoney } from '#contract/base/money.ts';
import { COLORS } from '#contract/base/palette.ts';
import {
  cardPath,
  couponOfCard,
  discountText,
  isOnOffer,
  languageOfCard,
  peopleOfRingCard,
  ringCardPath,
} from '#contract/coupons/cards.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { Context } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import { inLanguage } from '#server/core/language.ts';
import { ownColor } from '#server/core/market-colors.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { couponById } from '#server/coupons/core/service.ts';
import { type Card, PictureRefusal } from '#server/readers/pictures/pictures.ts';

/** What stands on a ticket, of whatever market. */
type Words = Omit<Card, 'market' | 'colors'>;

function siteCard(): Words {
  return {
    stub: [t({ context: 'price', message: 'Free' }), t`to swap`],
    merchant: marketName(),
    title: t`Swap the coupons you won’t use`,
    note: t`Swap, bid, redeem`,
  };
}

function cardColors(): Card['colors'] {
  const { clip, gray } = COLORS;
  return {
    paper: ownColor(gray[1]),
    ticket: ownColor(GROUNDS.light.surface),
    ink: ownColor(gray[9]),
    dimmed: ownColor(gray[6]),
    market: ownColor(clip[6]),
  };
}

/** A drawing takes half a second of the processes that uploads need, too. */
const CARDS_PER_ADDRESS: RateLimit = { name: 'cards', points: 120, seconds: 600 };

function ringCard(people: number): Words {
  return {
    stub: [String(people), t`strangers`],
    merchant: t`A ring on ${{ market: marketName() }}`,
    title: t`${people} coupons, and nobody paid`,
    note: t`All at the same moment`,
  };
}

interface ReadCard {
  readonly path: string;
  readonly bytes: Uint8Array | null;
}

/**
 * The drawn ticket of a coupon on offer as it is now, of a ring, else that of the site.
 * @returns its address, and its PNG if `file` is its name
 * @throws AppError unavailable while too many pictures wait, rate_limited
 */
export function readCard(ctx: Context, { file }: { file: string }): Promise<ReadCard> {
  // Whoever shows a preview asks in no language: the address has it.
  return inLanguage(languageOfCard(file), () => readSpoken(ctx, file));
}

async function readSpoken(ctx: Context, file: string): Promise<ReadCard> {
  const people = peopleOfRingCard(file);
  const coupon = await couponOnOffer(ctx, couponOfCard(file));
  const path = people === null ? cardPath(coupon) : ringCardPath(people);
  if (!path.endsWith(`/${file}`)) return { path, bytes: null };
  const card = people === null ? coupon && cardOf(coupon) : ringCard(people);
  if (card) await enforceLimit(ctx.limiter, CARDS_PER_ADDRESS, addressKey(ctx.ip));
  try {
    return {
      path,
      bytes: await ctx.providers.pictures.drawCard({
        ...(card ?? siteCard()),
        market: marketName(),
        colors: cardColors(),
      }),
    };
  } catch (error) {
    if (!(error instanceof PictureRefusal)) throw error;
    throw new AppError('unavailable', t`This picture is not available right now.`, { cause: error });
  }
}

async function couponOnOffer(ctx: Context, id: number | null): Promise<Coupon | null> {
  if (id === null) return null;
  try {
    const coupon = await couponById(ctx, id);
    return isOnOffer(coupon, ctx.clock()) ? coupon : null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}

function cardOf(coupon: Coupon): Words {
  const { merchant, title, expiryDate } = coupon;
  const note = expiryDate === null ? t`No expiry` : t`Until ${formatDay(expiryDate)}`;
  // Titles in a script that the drawing's font lacks are left out.
  return {
    stub: stubOf(coupon),
    merchant,
    title,
    untitled: t`A coupon on ${{ market: marketName() }}`,
    note,
  };
}

function stubOf(coupon: Coupon): Card['stub'] {
  const discount = discountText(coupon);
  if (discount === null) return [t`Coupon`];
  if (coupon.discountType === 'percentage') return [discount, t`off`];
  return [signedMoney(coupon.value, baseCurrency()), t`${{ currency: baseCurrency() }} off`];
}
