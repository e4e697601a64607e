import { plural, t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { ClaimStatus } from '#contract/money/claims.ts';
import type {
  ReportAction,
  ReportedThing,
  ReportReason,
  ReportStatus,
} from '#contract/oversight/moderation.ts';
import type { UserStatus } from '#contract/people/accounts.ts';
import type { Tone } from '#web/components/status-badge.tsx';

/** The reasons of reports in words. */
export const REASON_WORDS: Record<ReportReason, string> = {
  fake_coupon: t`Fake coupon`,
  expired_coupon: t`Expired coupon`,
  inappropriate_content: t`Inappropriate content`,
  scam: t`Scam or fraud`,
  harassment: t`Harassment`,
  other: t`Something else`,
};

/** A report's state in words. */
export const REPORT_STATES: Record<ReportStatus, { tone: Tone; word: string }> = {
  pending: { tone: 'warning', word: t`Pending` },
  resolved: { tone: 'success', word: t`Resolved` },
  dismissed: { tone: 'neutral', word: t`Dismissed` },
};

/** The reported person's status in words. */
export const PERSON_STATES: Record<UserStatus, { tone: Tone; word: string }> = {
  active: { tone: 'neutral', word: t({ context: 'account', message: 'Active' }) },
  warned: { tone: 'warning', word: t`Warned` },
  suspended: { tone: 'danger', word: t`Suspended` },
  banned: { tone: 'danger', word: t`Banned` },
};

/** How a claim stands, in a list of claims. */
export const CLAIM_ENDS: Record<ClaimStatus, string> = {
  open: t`open`,
  withdrawn: t`withdrawn`,
  refunded: t`the buyer was refunded`,
  released: t`the seller was paid`,
  upheld: t`upheld`,
  refused: t`declined`,
};

interface ActionWords {
  readonly label: string;
  /** The consequence, shown before the decision. */
  readonly consequence: (username: string) => string;
  /** The decision in past tense, shown afterwards. */
  readonly done: string;
}

/** The decisions on a report in words (decisions 5.2, 5.7). */
export const ACTION_WORDS: Record<ReportAction, ActionWords> = {
  dismiss: {
    label: TEXTS.reports.dismiss(),
    consequence: (username) => t`The report is closed. Nothing changes for ${username}.`,
    done: t`Dismissed`,
  },
  warn: {
    label: t`Warn User`,
    consequence: (username) => t`${username} is told, is marked “warned”, and can keep trading.`,
    done: t`Warned`,
  },
  suspend: {
    label: t`Suspend User`,
    consequence: (username) =>
      t`${username} can sign in and browse, but nothing else, until the suspension ends or an admin lifts it.`,
    done: t`Suspended`,
  },
  ban: {
    label: TEXTS.reports.ban(),
    consequence: (username) =>
      t`${username} is signed out everywhere and cannot sign in again. Their coupons are hidden and their pending deals are cancelled.`,
    done: t`Banned`,
  },
};

/** What a decision on several reports means for the people who were reported. */
export const SEVERAL_CONSEQUENCES: Record<ReportAction, string> = {
  dismiss: t`The reports are closed. Nothing changes for anyone.`,
  warn: t`Each person is told, is marked “warned”, and can keep trading.`,
  suspend: t`Each person can sign in and browse, but nothing else, until the suspension ends or an admin lifts it.`,
  ban: t`Each person is signed out everywhere and cannot sign in again. Their coupons are hidden and their pending deals are cancelled.`,
};

/** The page of the reported thing; null where only its parties can see it. */
export function relatedPath(type: ReportedThing, id: number): string | null {
  return type === 'coupon' ? paths.coupon(id) : null;
}

const RELATED_NAMES: Record<ReportedThing, (id: number) => string> = {
  coupon: (id) => t`Coupon ${id}`,
  exchange: (id) => t`Exchange ${id}`,
  bid: (id) => t`Bid ${id}`,
  message: (id) => t`Message ${id}`,
  rating: (id) => t`Rating ${id}`,
};

/** 'Coupon 12', 'Message 4'. */
export function relatedWords(type: ReportedThing, id: number): string {
  return RELATED_NAMES[type](id);
}

/** '1 report', '3 reports'; reports of strangers do not count before a moderator has found them right. */
export function reportCountWords(count: number): string {
  if (count === 0) return t`no other reports`;
  return plural(count, { one: '# report', other: '# reports' });
}
