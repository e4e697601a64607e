import { plural, t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { formatDay } from '#contract/base/locale.ts';
import type { CouponSummary } from '#contract/coupons/coupons.ts';
import { daysLeft } from '#contract/coupons/days-left.ts';
import type { DealStatus, DealType } from '#contract/deals/deals.ts';
import classes from './status-badge.module.css';

export type Tone = 'success' | 'warning' | 'danger' | 'neutral' | 'info';

/** A word on a coloured ground; the word alone carries the meaning. */
export function ToneBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`${classes.badge} ${classes[tone]}`}>{children}</span>;
}

const DEAL_TONES: Record<DealStatus, Tone> = {
  pending: 'warning',
  accepted: 'info',
  completed: 'success',
  rejected: 'danger',
  cancelled: 'neutral',
};

export const DEAL_WORDS: Record<DealType, Record<DealStatus, string>> = {
  exchange: {
    pending: t`Pending`,
    accepted: t({ context: 'exchange', message: 'Accepted' }),
    completed: t({ context: 'exchange', message: 'Completed' }),
    rejected: t({ context: 'exchange', message: 'Rejected' }),
    cancelled: t({ context: 'exchange', message: 'Cancelled' }),
  },
  bid: {
    pending: t`Pending`,
    accepted: t({ context: 'bid', message: 'Accepted' }),
    completed: t({ context: 'bid', message: 'Completed' }),
    rejected: t({ context: 'bid', message: 'Rejected' }),
    cancelled: t({ context: 'bid', message: 'Cancelled' }),
  },
};

interface StatusBadgeProps {
  readonly dealType: DealType;
  readonly status: DealStatus;
}

export function StatusBadge({ dealType, status }: StatusBadgeProps) {
  return <ToneBadge tone={DEAL_TONES[status]}>{DEAL_WORDS[dealType][status]}</ToneBadge>;
}

/** Beyond a year nobody counts days: the badge names the last one. */
const COUNTED_DAYS = 365;

type Expiry = Pick<CouponSummary, 'expiryDate' | 'expiresAt'>;

/**
 * The text and tone of a coupon's expiry badge (spec/1 section 4).
 * @param expiresAt null beside a day: only the server knows when that day ends, so the badge names it
 */
export function expiryBadge({ expiryDate, expiresAt }: Expiry, now: Date): { tone: Tone; text: string } {
  if (expiryDate === null) return { tone: 'success', text: t`No expiry` };
  const days = expiresAt === null ? Number.POSITIVE_INFINITY : daysLeft(expiresAt, now);
  if (days <= 0) return { tone: 'danger', text: t({ context: 'coupon', message: 'Expired' }) };
  if (days > COUNTED_DAYS) return { tone: 'neutral', text: t`Until ${formatDay(expiryDate)}` };
  return {
    tone: days <= 7 ? 'danger' : days <= 30 ? 'warning' : 'neutral',
    text: plural(days, { one: '# days left', other: '# days left' }),
  };
}

export function ExpiryBadge({ expiryDate, expiresAt }: Expiry) {
  const { tone, text } = expiryBadge({ expiryDate, expiresAt }, new Date());
  return <ToneBadge tone={tone}>{text}</ToneBadge>;
}
