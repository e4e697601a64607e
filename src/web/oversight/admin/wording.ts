import { t } from '@lingui/core/macro';
import type { DenialKind } from '#contract/base/errors.ts';
import type { Cents } from '#contract/base/money.ts';
import type { PaymentIssueKind } from '#contract/money/payment-issues.ts';
import type { PaymentStatus } from '#contract/money/payments.ts';
import type { CheckState, Health, JobHealth } from '#contract/oversight/operations.ts';
import type { UserStatus } from '#contract/people/accounts.ts';
import type { UserRole } from '#contract/people/roles.ts';
import type { Tone } from '#web/components/status-badge.tsx';
import { formatDecimal } from '#web/lib/format.ts';

/** 'charged_back' becomes 'Charged back'. */
export function plainWords(name: string): string {
  const words = name.replaceAll(/[_.-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const PAYMENT_WORDS: Record<PaymentStatus, string> = {
  created: t({ context: 'payment', message: 'Created' }),
  open: t`Open`,
  processing: t`Processing`,
  held: t`Held`,
  releasing: t`Releasing`,
  completed: t({ context: 'payment', message: 'Completed' }),
  refunding: t`Refunding`,
  refunded: t({ context: 'payment', message: 'Refunded' }),
  cancelled: t({ context: 'payment', message: 'Cancelled' }),
  failed: t`Failed`,
  charged_back: t`Charged back`,
};

/** The state of a payment: 'Charged back'. */
export function paymentWord(status: PaymentStatus): string {
  return PAYMENT_WORDS[status];
}

/** Earned fees are highlighted; all others are neutral (spec/3 section 4). */
export function feeTone(status: PaymentStatus): Tone {
  return status === 'completed' ? 'success' : 'neutral';
}

/** An account's status in words. */
export const STATUS_WORDS: Record<UserStatus, { tone: Tone; word: string }> = {
  active: { tone: 'success', word: t({ context: 'account', message: 'Active' }) },
  warned: { tone: 'warning', word: t`Warned` },
  suspended: { tone: 'danger', word: t`Suspended` },
  banned: { tone: 'danger', word: t`Banned` },
};

export const ROLE_WORDS: Record<UserRole, string> = {
  user: t`Member`,
  moderator: t`Moderator`,
  admin: t`Admin`,
};

/** What a status means for the person; shown before it is set (decisions 5.2). */
export const STATUS_CONSEQUENCES: Record<UserStatus, string> = {
  active: t`Can do everything again. Coupons hidden by a ban are listed again.`,
  warned: t`Is told why and can keep trading.`,
  suspended: t`Can still sign in, browse, pay for accepted bids, and make and answer claims, but nothing else.`,
  banned: t`Is signed out everywhere and cannot sign in. Their coupons are hidden and their pending deals are cancelled.`,
};

export const JOB_STATES: Record<JobHealth['state'], { tone: Tone; word: string }> = {
  ok: { tone: 'success', word: t`OK` },
  failing: { tone: 'danger', word: t`Failing` },
  late: { tone: 'warning', word: t`Late` },
  never: { tone: 'neutral', word: t`Never ran` },
};

export const CHECK_STATES: Record<CheckState, { tone: Tone; word: string }> = {
  good: { tone: 'success', word: t`Good` },
  attention: { tone: 'warning', word: t`Needs attention` },
  broken: { tone: 'danger', word: t`Broken` },
  not_set_up: { tone: 'neutral', word: t`Not set up` },
};

export const TRANSPORT_WORDS: Record<Health['mail']['transport'], string> = {
  smtp: t`Sent over SMTP`,
  outbox: t`Kept on the developer’s outbox page`,
  none: t`Not set up: emails are on hold`,
};

export const PAYMENT_ISSUE_WORDS: Record<PaymentIssueKind, { tone: Tone; word: string }> = {
  operation: { tone: 'danger', word: t`Stuck` },
  review: { tone: 'danger', word: t`Does not add up` },
  dispute: { tone: 'warning', word: t`Dispute` },
  event: { tone: 'neutral', word: t`Event` },
  seller: { tone: 'warning', word: t`Seller not paid` },
  difference: { tone: 'danger', word: t`Books differ` },
};

export const DENIAL_WORDS: Record<DenialKind, string> = {
  forbidden: t`Not allowed`,
  sign_in: t`Sign-in refused`,
  second_factor: t`Wrong second factor`,
  password: t`Wrong password`,
  link: t`Invalid emailed link`,
  origin: t`From another site`,
  limit: t`Limit reached`,
};

/** '850 ms', '2.4 s', '3 min'. */
export function durationWords(ms: number): string {
  if (ms < 1_000) return t`${ms} ms`;
  if (ms < 60_000) return t`${formatDecimal(ms / 1_000)} s`;
  return t`${Math.round(ms / 60_000)} min`;
}

/** The lowest top of the scale, in cents: half a year without sales is a flat line. */
const LOWEST_TOP: Cents = 1_000;

/** The round top of the scale, in cents: at least `highest`, and whole dollars also when halved. */
export function niceTop(highest: Cents): Cents {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, LOWEST_TOP)));
  const factor = [1, 2, 4, 6, 8, 10].find((step) => step * power >= highest) ?? 10;
  return Math.max(factor * power, LOWEST_TOP);
}
