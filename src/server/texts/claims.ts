import { t } from '@lingui/core/macro';
import { formatDay } from '#contract/base/locale.ts';
import { quote } from '#contract/base/words.ts';
import { stored } from './stored.ts';

/** The texts about claims besides those for the two sides of a deal. */

/** For moderators, before PayPal pays a seller by itself. @param day '2026-11-25' */
export const CLAIM_REMINDER = stored('claimReminder', {
  subject: () => t`A claim needs a decision soon`,
  text: ({ coupon, day }: { coupon: string; day: string | null }) =>
    t`The claim about ${quote(coupon)} is still open. Please decide it before ${day === null ? '—' : formatDay(day)}. On that day we refund the buyer, because PayPal would otherwise pay the seller.`,
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
