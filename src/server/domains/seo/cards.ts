import {
  cardPath,
  couponOfCard,
  discountText,
  isOnOffer,
  peopleOfRingCard,
  ringCardPath,
} from '#contract/cards.ts';
import type { Coupon } from '#contract/coupons.ts';
import { formatDay } from '#contract/locale.ts';
import { AppError } from '#server/core/errors.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { type Card, PictureRefusal } from '#server/providers/pictures/pictures.ts';
import type { Context } from '../context.ts';
import { couponById } from '../coupons/listing.ts';

const SITE: Card = {
  stub: ['Free', 'to swap'],
  merchant: 'ClipSwap',
  title: 'Swap the coupons you won’t use',
  note: 'Swap, bid, redeem',
};

/** A drawing takes half a second of the processes that uploads need, too. */
const CARDS_PER_ADDRESS: RateLimit = { name: 'cards', points: 120, seconds: 600 };

function ringCard(people: number): Card {
  return {
    stub: [String(people), 'strangers'],
    merchant: 'A ring on ClipSwap',
    title: `${people} coupons, and nobody paid`,
    note: 'All at the same moment',
  };
}

/**
 * The drawn ticket of a coupon on offer as it is now, of a ring, else that of the site.
 * @returns its address, and its PNG if `file` is its name
 * @throws AppError unavailable while too many pictures wait, rate_limited
 */
export async function readCard(
  ctx: Context,
  { file }: { file: string },
): Promise<{ path: string; bytes: Uint8Array | null }> {
  const people = peopleOfRingCard(file);
  const coupon = await couponOnOffer(ctx, couponOfCard(file));
  const path = people === null ? cardPath(coupon) : ringCardPath(people);
  if (!path.endsWith(`/${file}`)) return { path, bytes: null };
  const card = people === null ? coupon && cardOf(coupon) : ringCard(people);
  if (card) await enforceLimit(ctx.limiter, CARDS_PER_ADDRESS, addressKey(ctx.ip));
  try {
    return { path, bytes: await ctx.providers.pictures.drawCard(card ?? SITE) };
  } catch (error) {
    if (!(error instanceof PictureRefusal)) throw error;
    throw new AppError('unavailable', 'This picture is not available right now.', { cause: error });
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

function cardOf(coupon: Coupon): Card {
  const { merchant, title, expiryDate } = coupon;
  const note = expiryDate === null ? 'No expiry' : `Until ${formatDay(expiryDate)}`;
  return { stub: stubOf(coupon), merchant, title, note };
}

function stubOf(coupon: Coupon): Card['stub'] {
  const [number, unit] = discountText(coupon)?.split(' ') ?? [];
  if (number === undefined) return ['Coupon'];
  return [number, unit === undefined ? 'off' : `${unit} off`];
}
