import { randomUUID } from 'node:crypto';
import { CALENDAR_COUPONS_MAX, type CalendarAddress } from '#contract/calendar.ts';
import { paths } from '#contract/pages.ts';
import { sha256 } from '#server/core/crypto.ts';
import { notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import type { Trx } from '#server/database/client.ts';
import type { Context, MemberContext } from '../context.ts';
import { writeCalendar } from './rules.ts';
import * as store from './store.ts';

/** Of one address. Not of a network: Google and Apple read the calendars of many people from a few. */
const READINGS: RateLimit = { name: 'calendar-readings', points: 30, seconds: 15 * 60 };

/** Stored is only the key: the address can be shown again, and nobody can make it from the database alone. */
const tokenOf = (ctx: Context, key: string) => ctx.vault.fingerprint(`calendar:${key}`);

const addressOf = (ctx: Context, key: string): CalendarAddress => ({
  url: `${ctx.config.publicUrl}/calendar/${tokenOf(ctx, key)}.ics`,
});

/** The caller's address. */
export async function ownAddress(ctx: MemberContext): Promise<CalendarAddress> {
  const key = await store.findKey(ctx.db, ctx.actor.id);
  return key === undefined ? { url: null } : addressOf(ctx, key);
}

/** Gives the caller a new address. The old one stops working at once. */
export async function renewAddress(ctx: MemberContext): Promise<CalendarAddress> {
  const key = randomUUID();
  await store.setAddress(ctx.db, {
    userId: ctx.actor.id,
    key,
    tokenHash: sha256(tokenOf(ctx, key)),
    createdAt: ctx.clock(),
  });
  return addressOf(ctx, key);
}

/** Ends the caller's address; may be repeated. */
export async function removeAddress(ctx: MemberContext): Promise<void> {
  await store.deleteAddressOf(ctx.db, ctx.actor.id);
}

/** Ends the address of a person who leaves. */
export async function forgetCalendar(trx: Trx, userId: number): Promise<void> {
  await store.deleteAddressOf(trx, userId);
}

/**
 * The calendar at an address: a day for each of its owner's coupons that has not expired. The token is too long to guess,
 * so that wrong ones are not counted.
 * @returns iCalendar (RFC 5545)
 * @throws AppError not_found (a wrong or an ended token, or of somebody who is banned or deleted), rate_limited
 */
export async function calendarFeed(ctx: Context, { token }: { token: string }): Promise<string> {
  const userId = await store.findOwner(ctx.db, sha256(token));
  if (userId === undefined) throw notFound('Calendar');
  await enforceLimit(ctx.limiter, READINGS, String(userId));
  const coupons = await store.listExpiring(ctx.db, { userId, at: ctx.clock(), limit: CALENDAR_COUPONS_MAX });
  const { publicUrl } = ctx.config;
  return writeCalendar(
    'ClipSwap',
    coupons.map(({ id, title, merchant, expiryDate, updatedAt }) => ({
      id: `coupon-${id}@${new URL(publicUrl).hostname}`,
      day: expiryDate,
      title: `${title} expires`,
      text: `${merchant}\n${publicUrl}${paths.myCoupon(id)}`,
      changedAt: updatedAt,
    })),
  );
}
