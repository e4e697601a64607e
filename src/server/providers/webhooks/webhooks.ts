import type { DeliveryProblem } from '#contract/people/webhooks.ts';
import type { AddressProblem } from '../guarded-network.ts';

/** `problem` is null exactly when the receiver has taken it. */
export interface WebhookAnswer {
  /** The HTTP status; null: there was no answer. */
  readonly status: number | null;
  readonly problem: DeliveryProblem | null;
  /** The receiver wants nothing for so many seconds; left out where it does not say. */
  readonly retryAfter?: number;
}

/** Our way to the programs of people, wherever they are on the internet. */
export interface Webhooks {
  /** What is wrong with an address now; null: nothing. */
  problemOf(url: string): Promise<AddressProblem | null>;
  /** Posts JSON. Follows no redirect and reads no answer. Never throws for what the other side does. */
  send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<WebhookAnswer>;
}
