import { randomInt } from 'node:crypto';
import type Stripe from 'stripe';
import { z } from 'zod';
import { openShelf, type SandboxStore } from '../store.ts';

/** What a test card does when it pays. */
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
] as const;
export type Outcome = (typeof OUTCOMES)[number];

const cardSchema = z.object({
  /** The payment method's id. */
  id: z.string(),
  outcome: z.enum(OUTCOMES),
  /** Used once for nobody, or taken from its customer: good for nothing any more. */
  isSpent: z.boolean(),
});

const linkSchema = z.object({
  /** The token in its address. */
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
  state: z.enum(['started', 'incomplete', 'done']),
});
export type OnboardingState = z.infer<typeof onboardingSchema>['state'];

const answerSchema = z.object({
  /** The idempotency key. */
  id: z.string(),
  /** Method, path and parameters of the request that came with it first. */
  question: z.string(),
  status: z.number(),
  body: z.unknown(),
});

export type Shelves = ReturnType<typeof openShelves>;

/** All that the sandbox stores: Stripe's objects as its API shows them, and a few notes of its own. */
export function openShelves(store: SandboxStore) {
  const shelf = <T extends { id: string }>(kind: string, schema: z.ZodType<T>) =>
    openShelf(store, `stripe.${kind}`, schema);
  return {
    accounts: shelf('account', tagged<Stripe.V2.Core.Account>('v2.core.account')),
    balanceTransactions: shelf(
      'balance_transaction',
      tagged<Stripe.BalanceTransaction>('balance_transaction'),
    ),
    charges: shelf('charge', tagged<Stripe.Charge>('charge')),
    customers: shelf('customer', tagged<Stripe.Customer>('customer')),
    disputes: shelf('dispute', tagged<Stripe.Dispute>('dispute')),
    events: shelf('event', tagged<Stripe.Event>('event')),
    paymentIntents: shelf('payment_intent', tagged<Stripe.PaymentIntent>('payment_intent')),
    paymentMethods: shelf('payment_method', tagged<Stripe.PaymentMethod>('payment_method')),
    refunds: shelf('refund', tagged<Stripe.Refund>('refund')),
    transfers: shelf('transfer', tagged<Stripe.Transfer>('transfer')),
    answers: shelf('answer', answerSchema),
    cards: shelf('card', cardSchema),
    links: shelf('link', linkSchema),
    onboarding: shelf('onboarding', onboardingSchema),
  };
}

/** What we have stored ourselves is known by its tag: the compiler has checked it when it was made. */
function tagged<T extends { object: string }>(object: T['object']): z.ZodType<T> {
  return z.custom<T>(
    (value) => typeof value === 'object' && value !== null && 'object' in value && value.object === object,
  );
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function randomLetters(count: number): string {
  return Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** 'pi' → 'pi_3SXk…', as long as Stripe's. */
export const newId = (prefix: string) => `${prefix}_1${randomLetters(23)}`;

/** Seconds since 1970. */
export const now = () => Math.floor(Date.now() / 1_000);
