import { randomInt } from 'node:crypto';
import type Stripe from 'stripe';
import { z } from 'zod';
import { openCollection, type SandboxStore } from '#sandbox/store.ts';
import { missing } from './params.ts';

/** What happens when a test card pays. */
const OUTCOMES = [
  'success',
  'challenge',
  'declined',
  'insufficient_funds',
  'expired',
  'wrong_cvc',
  'processing_error',
  'processing',
  'disputed',
  'inquiry',
  'refund_pending',
  'refund_fails',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

const cardSchema = z.object({
  /** The payment method's id. */
  id: z.string(),
  outcome: z.enum(OUTCOMES),
  /** Used once without a customer, or detached from one: it can pay nothing more. */
  isSpent: z.boolean(),
});

const linkSchema = z.object({
  /** The token in the link. */
  id: z.string(),
  account: z.string(),
  returnUrl: z.string(),
  refreshUrl: z.string(),
  expiresAt: z.string(),
  isUsed: z.boolean(),
});
export type OnboardingLink = z.infer<typeof linkSchema>;

const onboardingSchema = z.object({
  /** The account's id. */
  id: z.string(),
  state: z.enum(['started', 'incomplete', 'done', 'rejected']),
});
export type OnboardingState = z.infer<typeof onboardingSchema>['state'];

const payoutSchema = z.object({
  id: z.string(),
  /** The seller's. */
  account: z.string(),
  payout: tagged<Stripe.Payout>('payout'),
});

const answerSchema = z.object({
  /** The idempotency key. */
  id: z.string(),
  /** Method, path and parameters of the first request with this key. */
  question: z.string(),
  status: z.number(),
  body: z.unknown(),
});

export type Stored = ReturnType<typeof openStored>;

/** All that the sandbox stores: Stripe's objects as its API answers them, and a few records of its own. */
export function openStored(store: SandboxStore) {
  /** `name` and `param` are for Stripe's error when an object is missing. */
  const open = <T extends { id: string }>(
    kind: string,
    schema: z.ZodType<T>,
    { name = kind, param: usual = 'id' } = {},
  ) => openCollection(store, `stripe.${kind}`, schema, (id, param = usual) => missing(name, id, param));
  return {
    accounts: open('account', tagged<Stripe.V2.Core.Account>('v2.core.account'), { param: 'account' }),
    balanceTransactions: open(
      'balance_transaction',
      tagged<Stripe.BalanceTransaction>('balance_transaction'),
      { name: 'balance transaction' },
    ),
    charges: open('charge', tagged<Stripe.Charge>('charge')),
    customers: open('customer', tagged<Stripe.Customer>('customer')),
    disputes: open('dispute', tagged<Stripe.Dispute>('dispute')),
    paymentIntents: open('payment_intent', tagged<Stripe.PaymentIntent>('payment_intent'), {
      param: 'intent',
    }),
    paymentMethods: open('payment_method', tagged<Stripe.PaymentMethod>('payment_method'), {
      name: 'PaymentMethod',
    }),
    payouts: open('payout', payoutSchema),
    refunds: open('refund', tagged<Stripe.Refund>('refund')),
    reversals: open('reversal', tagged<Stripe.TransferReversal>('transfer_reversal'), {
      name: 'transfer reversal',
    }),
    transfers: open('transfer', tagged<Stripe.Transfer>('transfer'), { param: 'transfer' }),
    answers: open('answer', answerSchema),
    cards: open('card', cardSchema),
    links: open('link', linkSchema),
    onboarding: open('onboarding', onboardingSchema),
  };
}

/** What an event of this type is about. */
export type ObjectOf<Type> = Extract<Stripe.Event, { type: Type }>['data']['object'];

/** What every part of the sandbox works with. */
export interface StripeContext {
  readonly stored: Stored;
  /** Sends an event with a copy of the object as it is now. */
  emit<Type extends Stripe.Event['type']>(
    type: Type,
    object: ObjectOf<Type>,
    /** The seller's, when it happened there. */
    account?: string,
  ): void;
  /** Sends a thin event of v2, which only names the account. */
  emitThin(type: string, accountId: string): void;
  /** The address under which a browser reaches Stripe's pages. */
  readonly browserUrl: string;
  /** Lets a payment that is 'processing' succeed after a while. */
  readonly finishLater: (intentId: string) => void;
  /** Lets a refund succeed or fail after a while, with the test cards for it. */
  readonly settleRefundLater: (refund: Stripe.Refund) => Promise<void>;
}

/** Checks the tag alone: tsc has checked the rest where the object was made. */
function tagged<T extends { object: string }>(object: T['object']): z.ZodType<T> {
  return z.custom<T>(
    (value) => typeof value === 'object' && value !== null && 'object' in value && value.object === object,
  );
}

/** Of the pinned SDK. */
export const API_VERSION = '2026-10-28.endive';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function randomLetters(count: number): string {
  return Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** 'pi' → 'pi_3SXk…', as long as Stripe's. */
export const newId = (prefix: string) => `${prefix}_1${randomLetters(23)}`;

/** Seconds since 1970. */
export const now = () => Math.floor(Date.now() / 1_000);
