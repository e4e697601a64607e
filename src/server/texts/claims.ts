import { t } from '@lingui/core/macro';
import { formatDay, utcDayAndTime } from '#contract/base/locale.ts';
import { quote } from '#contract/base/words.ts';
import type { Finding } from '#contract/money/claims.ts';
import { findingText } from '#contract/money/finding-text.ts';
import { stored } from './stored.ts';
import { sentences } from './text.ts';

/** The texts about claims besides those for the two sides of a deal. */

interface Announced {
  readonly coupon: string;
  /** The end: '2026-11-25T10:00:00.000Z'. */
  readonly at: string;
  readonly isGranted: boolean;
}

const endsBy = ({ at, isGranted }: Announced) => {
  const [day, time] = utcDayAndTime(at);
  return isGranted
    ? t`If no one decides it before ${day}, ${time} UTC, it will be upheld.`
    : t`If no one decides it before ${day}, ${time} UTC, it will be declined.`;
};

/** A claim that nobody has decided yet. */
export const CLAIM_DEADLINE_TEXTS = stored('claimDeadline', {
  /** For moderators. @param day '2026-11-25' */
  reminder: {
    subject: () => t`A claim needs a decision soon`,
    text: ({ coupon, day }: { coupon: string; day: string }) =>
      t`The claim about ${quote(coupon)} is still open. Please decide it before ${formatDay(day)}.`,
  },
  /** For both sides. */
  announced: {
    subject: () => t`How a claim will end`,
    winner: (announced: Announced) =>
      sentences(t`No one has decided the claim about ${quote(announced.coupon)} yet.`, endsBy(announced)),
    loser: (announced: Announced) =>
      sentences(
        t`No one has decided the claim about ${quote(announced.coupon)} yet.`,
        endsBy(announced),
        t`If you do not agree, ask an admin to look at it until then.`,
      ),
  },
  /** For admins. */
  toAdmins: {
    subject: () => t`A claim waits for you`,
    announced: (announced: Announced) =>
      sentences(t`No moderator has decided the claim about ${quote(announced.coupon)}.`, endsBy(announced)),
    waits: ({ coupon }: { coupon: string }) =>
      t`The claim about ${quote(coupon)} waits for an admin: it does not end by itself.`,
  },
});

interface Found {
  readonly coupon: string;
  readonly finding: Finding;
  /** When the claim ends by it. */
  readonly at: string;
  readonly isGranted: boolean;
}

const inUtc = (instant: string) => {
  const [day, time] = utcDayAndTime(instant);
  return t`${day}, ${time} UTC`;
};

const foundText = ({ coupon, finding, at, isGranted }: Found) =>
  sentences(
    t`The merchant has answered about the code of ${quote(coupon)}.`,
    findingText(finding, inUtc),
    isGranted ? t`The claim will be upheld on ${inUtc(at)}.` : t`The claim will be declined on ${inUtc(at)}.`,
  );

/** What a merchant's programme has told about the code of a claim. */
export const FINDING_TEXTS = stored('claimFinding', {
  /** For both sides: it decides the claim. */
  found: {
    subject: () => t`What the merchant says about a code`,
    winner: (found: Found) => foundText(found),
    loser: (found: Found) =>
      sentences(foundText(found), t`If you do not agree, ask a moderator to look at it until then.`),
  },
  /** For moderators. */
  contested: {
    subject: () => t`A claim waits for you`,
    text: ({ coupon }: { coupon: string }) =>
      t`One side does not agree with what the merchant says about ${quote(coupon)}. Please decide the claim.`,
  },
});

/** Sales of somebody that are stopped until a moderator has looked. */
export const SALE_STOP_TEXTS = stored('saleStop', {
  seller: {
    subject: () => t`You cannot sell for now`,
    text: () =>
      t`Several people say that codes you gave do not work. You cannot sell anything more until a moderator has looked at it. Your accepted deals go on. Answering the claims helps.`,
  },
  moderator: {
    subject: () => t`A seller waits for a moderator`,
    text: ({ seller }: { seller: string }) =>
      t`${seller} cannot sell until you have looked at the claims about their coupons.`,
  },
  resumed: {
    subject: () => t`You can sell again`,
    text: () => t`A moderator has looked at the claims about your coupons. You can sell again.`,
  },
});
