import { t } from '@lingui/core/macro';
import type { LegClaim } from '#contract/money/claims.ts';
import { awaitedUntil } from '#web/deals/core/time-left.ts';

interface Words {
  /** The state in a few words. */
  readonly title: string;
  /** What it means, and what happens next. */
  readonly text: string;
}

/** The state of a claim about an exchange, for whoever made it or gave the coupon. */
export function claimWords(
  { couponTitle, giverUsername, receiverUsername }: LegClaim,
  { status, answer, answerBy, announcedEnd }: NonNullable<LegClaim['claim']>,
  isClaimant: boolean,
): Words {
  const coupon = t`“${couponTitle}”`;
  switch (status) {
    case 'open': {
      const until = awaitedUntil(answerBy, new Date());
      const answered = announcedEnd?.isByFinding ? t`The merchant has answered about this code.` : null;
      return isClaimant
        ? {
            title: t`Your claim about ${coupon} is open`,
            text:
              answered ??
              (until === null
                ? t`A moderator will read the claim and decide.`
                : t`${giverUsername} can answer until ${until}. Then a moderator decides.`),
          }
        : {
            title: t`${receiverUsername} says that the code of ${coupon} does not work`,
            text:
              answered ??
              (answer !== null || until === null
                ? t`A moderator will read the claim and decide.`
                : t`Please tell us what you know about it. A moderator decides after ${until}, with or without your answer.`),
          };
    }
    case 'upheld':
      return {
        title: t`The claim about ${coupon} was upheld`,
        text: isClaimant
          ? t`${giverUsername}’s profile says that a code did not work. The codes have been seen, so a coupon goes back only if it was paid for, together with that payment.`
          : t`Your profile says that a code did not work. The codes have been seen, so a coupon goes back only if it was paid for, together with that payment.`,
      };
    case 'refused':
      return {
        title: t`The claim about ${coupon} was declined`,
        text: isClaimant
          ? t`${giverUsername}’s profile does not mention it.`
          : t`Your profile does not mention it.`,
      };
    case 'withdrawn':
      return {
        title: t`The claim about ${coupon} was withdrawn`,
        text: isClaimant
          ? t`You cannot make another claim about this coupon.`
          : t`${receiverUsername} withdrew it.`,
      };
  }
}
