import { randomInt } from 'node:crypto';
import type Stripe from 'stripe';
import { z } from 'zod';
import type { SandboxStore } from '../store.ts';
import { OUTCOMES } from './cards.ts';

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

/** The stored things of one kind. */
export interface Shelf<T extends { id: string }> {
  /** Null when there is none. */
  get(id: string): Promise<T | null>;
  put(value: T): Promise<T>;
  /** Oldest first. */
  list(): Promise<T[]>;
}

export type Shelves = ReturnType<typeof openShelves>;

/** All that the stand-in remembers: Stripe's objects as its API shows them, and a few notes of its own. */
export function openShelves(store: SandboxStore) {
  return {
    accounts: shelf(store, 'account', tagged<Stripe.V2.Core.Account>('v2.core.account')),
    balanceTransactions: shelf(
      store,
      'balance_transaction',
      tagged<Stripe.BalanceTransaction>('balance_transaction'),
    ),
    charges: shelf(store, 'charge', tagged<Stripe.Charge>('charge')),
    customers: shelf(store, 'customer', tagged<Stripe.Customer>('customer')),
    disputes: shelf(store, 'dispute', tagged<Stripe.Dispute>('dispute')),
    events: shelf(store, 'event', tagged<StoredEvent>('event')),
    paymentIntents: shelf(store, 'payment_intent', tagged<Stripe.PaymentIntent>('payment_intent')),
    paymentMethods: shelf(store, 'payment_method', tagged<Stripe.PaymentMethod>('payment_method')),
    refunds: shelf(store, 'refund', tagged<Stripe.Refund>('refund')),
    transfers: shelf(store, 'transfer', tagged<Stripe.Transfer>('transfer')),
    answers: shelf(store, 'answer', answerSchema),
    cards: shelf(store, 'card', cardSchema),
    links: shelf(store, 'link', linkSchema),
    onboarding: shelf(store, 'onboarding', onboardingSchema),
  };
}

/** A snapshot event, with whatever object it is about. */
export interface StoredEvent {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string;
  readonly created: number;
  readonly data: { readonly object: object };
  readonly livemode: false;
  readonly pending_webhooks: number;
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null };
  readonly type: string;
}

function shelf<T extends { id: string }>(store: SandboxStore, kind: string, schema: z.ZodType<T>): Shelf<T> {
  const name = `stripe.${kind}`;
  return {
    async get(id) {
      const value = await store.get(name, id);
      return value === undefined || value === null ? null : schema.parse(value);
    },
    async put(value) {
      await store.put(name, value.id, value);
      return value;
    },
    async list() {
      return z.array(schema).parse(await store.list(name));
    },
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
