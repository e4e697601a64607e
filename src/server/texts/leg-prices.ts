import { t } from '@lingui/core/macro';
import { quote } from '#contract/base/words.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import type { PAYMENT_TEXTS, PaymentTexts } from './money.ts';
import { type Stored, stored } from './stored.ts';
import { amountOf } from './text.ts';

/** The same, where it is otherwise for what somebody pays in an exchange besides their own coupon. */
export const PRICE_TEXTS: Partial<Record<keyof typeof PAYMENT_TEXTS, Stored<PaymentTexts>>> = stored(
  'price',
  {
    paid: {
      subject: () => t`Your payment is protected`,
      buyer: ({ total, coupon }) =>
        t`You paid ${amountOf(total)} in your exchange, to get ${quote(coupon)}. We hold it until ${HOLD_HOURS} hours after the coupons have changed hands.`,
      seller: ({ buyer, coupon, net }) =>
        t`${buyer} paid in your exchange, to get ${quote(coupon)}. We hold your ${amountOf(net)} until ${HOLD_HOURS} hours after the coupons have changed hands.`,
    },
    paid_too_late: {
      subject: () => t`You are getting your money back`,
      buyer: ({ total }) =>
        t`Your payment of ${amountOf(total)} arrived when the exchange had already ended. You are getting all of it back.`,
      seller: null,
    },
    released: {
      subject: () => t`You are getting the money from your exchange`,
      buyer: null,
      seller: ({ coupon, net }) =>
        t`The ${HOLD_HOURS} hours to try ${quote(coupon)} are over. Your ${amountOf(net)} is on its way.`,
    },
    unheard: {
      subject: () => t`You are getting your money back`,
      buyer: ({ coupon, total }) =>
        t`We could not ask you whether the code of ${quote(coupon)} works, so you are getting ${amountOf(total)} back.`,
      seller: ({ buyer, coupon }) =>
        t`We could not ask ${buyer} in time whether the code of ${quote(coupon)} works, so they get their money back.`,
    },
    claim_overdue: {
      subject: () => t`You are getting your money back`,
      buyer: ({ coupon, total }) =>
        t`No one decided your claim about ${quote(coupon)} in time, so you are getting ${amountOf(total)} back.`,
      seller: ({ buyer, coupon }) =>
        t`No one decided the claim about ${quote(coupon)} in time, so ${buyer} gets back what they paid. A moderator can still decide the claim.`,
    },
    claim_refunded: {
      subject: () => t`Your claim was decided`,
      buyer: ({ coupon, total }) =>
        t`Because your claim about ${quote(coupon)} was upheld, you are getting ${amountOf(total)} back.`,
      seller: ({ buyer, coupon }) =>
        t`Because the claim about ${quote(coupon)} was upheld, ${buyer} gets the money back that they paid.`,
    },
    undone: {
      subject: () => t`Your refund`,
      buyer: ({ total, coupon }) =>
        t`You have been refunded ${amountOf(total)} that you paid in your exchange for ${quote(coupon)}.`,
      seller: ({ buyer, coupon }) =>
        t`${buyer} got back all that they had paid in your exchange for ${quote(coupon)}. The coupons stay where they are.`,
    },
  } satisfies Record<string, PaymentTexts>,
);

/** The same once the exchange is completed: the coupon goes back with the money. */
export const RETURNED_PRICE_TEXTS: Partial<Record<keyof typeof PAYMENT_TEXTS, Stored<PaymentTexts>>> = stored(
  'returnedPrice',
  {
    unheard: {
      subject: () => t`You are getting your money back`,
      buyer: ({ coupon, total }) =>
        t`We could not ask you whether the code of ${quote(coupon)} works, so you are getting ${amountOf(total)} back.`,
      seller: ({ buyer, coupon }) =>
        t`We could not ask ${buyer} in time whether the code of ${quote(coupon)} works: they get their money back, and you get the coupon back.`,
    },
    claim_overdue: {
      subject: () => t`You are getting your money back`,
      buyer: ({ coupon, total }) =>
        t`No one decided your claim about ${quote(coupon)} in time, so you are getting ${amountOf(total)} back, and the coupon goes back.`,
      seller: ({ buyer, coupon }) =>
        t`No one decided the claim about ${quote(coupon)} in time: ${buyer} gets back what they paid, and you get the coupon back. A moderator can still decide the claim.`,
    },
    claim_refunded: {
      subject: () => t`Your claim was decided`,
      buyer: ({ coupon, total }) =>
        t`Because your claim about ${quote(coupon)} was upheld, you are getting ${amountOf(total)} back, and the coupon goes back.`,
      seller: ({ buyer, coupon }) =>
        t`Because the claim about ${quote(coupon)} was upheld, ${buyer} gets the money back that they paid, and you get the coupon back.`,
    },
    undone: {
      subject: () => t`Your refund`,
      buyer: ({ total, coupon }) =>
        t`You have been refunded ${amountOf(total)} that you paid in your exchange for ${quote(coupon)}.`,
      seller: ({ buyer, coupon }) =>
        t`${buyer} got back all that they had paid in your exchange for ${quote(coupon)}. The coupon is yours again and is not listed.`,
    },
  } satisfies Record<string, PaymentTexts>,
);
