import { t } from '@lingui/core/macro';
import { localPath, toLanguage } from '#contract/base/i18n.ts';
import { marketName } from '#contract/base/market.ts';
import { paths } from '#contract/base/pages.ts';
import { CALENDAR_COUPONS_MAX, type CalendarAddress } from '#contract/coupons/calendar.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { notFound } from '#server/core/errors.ts';
import { inLanguage } from '#server/core/language.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { ownerOfToken, ownToken, removeToken, renewToken } from '#server/people/private-addresses/service.ts';
import { writeCalendar } from './rules.ts';
import { listExpiring } from './store.ts';

/** Of one address. Not of a network: Google and Apple read the calendars of many people from a few. */
const READINGS: RateLimit = { name: 'calendar-readings', points: 30, seconds: 15 * 60 };

const addressOf = (ctx: Context, token: string | null): CalendarAddress => ({
  url: token === null ? null : `${ctx.config.publicUrl}/calendar/${token}.ics`,
});

/** The caller's address. */
export async function ownAddress(ctx: MemberContext): Promise<CalendarAddress> {
  return addressOf(ctx, await ownToken(ctx, 'calendar'));
}

/** Gives the caller a new address. The old one stops working at once. */
export async function renewAddress(ctx: MemberContext): Promise<CalendarAddress> {
  return addressOf(ctx, await renewToken(ctx, 'calendar'));
}

/** Ends the caller's address; may be repeated. */
export async function removeAddress(ctx: MemberContext): Promise<void> {
  await removeToken(ctx, 'calendar');
}

/**
 * The calendar at an address: a day for each of its owner's coupons that has not expired. The token is too long to guess,
 * so that wrong ones are not counted.
 * @returns iCalendar (RFC 5545)
 * @throws AppError not_found (a wrong or an ended token, or of somebody who is banned or deleted), rate_limited
 */
export async function calendarFeed(ctx: Context, { token }: { token: string }): Promise<string> {
  const owner = await ownerOfToken(ctx.db, 'calendar', token);
  if (!owner) throw notFound(t`Calendar not found`);
  const { userId } = owner;
  await enforceLimit(ctx.limiter, READINGS, String(userId));
  const coupons = await listExpiring(ctx.db, { userId, at: ctx.clock(), limit: CALENDAR_COUPONS_MAX });
  const { publicUrl } = ctx.config;
  // Calendar services read it, in a language of theirs.
  return inLanguage(toLanguage(owner.language), () =>
    writeCalendar(
      marketName(),
      coupons.map(({ id, title, merchant, expiryDate, updatedAt }) => ({
        id: `coupon-${id}@${new URL(publicUrl).hostname}`,
        day: expiryDate,
        title: t`${title} expires`,
        text: `${merchant}\n${publicUrl}${localPath(paths.myCoupon(id))}`,
        changedAt: updatedAt,
      })),
    ),
  );
}
