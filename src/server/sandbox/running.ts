import type { SandboxStore } from './store.ts';

/** What a fault does to one request of a provider's API. */
export type Fault =
  /**
   * 500 before anything is done; 500 after it was done; no answer although it was done, for ever or until the
   * connection is cut after STALL_MS; the connection is cut.
   */
  'error-before' | 'error-after' | 'hang-after' | 'stall-after' | 'cut-before' | 'cut-after';

/** How long a stalled request stays open. */
export const STALL_MS = 300;

/** An event that waits to be delivered. */
export interface SandboxEvent {
  readonly id: string;
  readonly type: string;
  /** The exact body that is signed and sent. */
  readonly body: string;
}

export interface SandboxOptions {
  readonly store: SandboxStore;
  /** Where the program takes webhooks: 'http://127.0.0.1:3000/api/webhooks/stripe'. Null: nowhere (yet). */
  readonly webhookUrl: () => string | null;
  /** auto: sent at once after the act, and again (after 1, 5, 30 s) while not answered with 2xx. held: kept for `deliver`. */
  readonly webhooks: 'auto' | 'held';
  /** Asked at each API request, before it is handled. */
  readonly fault?: (request: { method: string; path: string }) => Fault | null;
}

/** A running sandbox for a provider, on a port of its own on the loopback. */
export interface Sandbox {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  /** Events made and not yet delivered (webhooks 'held'), oldest first. */
  waiting(): SandboxEvent[];
  /** Signs now and sends; the status it was answered with. `tamper` changes the body after signing, `at` dates the signature. */
  deliver(
    event: SandboxEvent,
    options?: { tamper?: boolean; at?: Date; unsigned?: boolean },
  ): Promise<number>;
  /** Takes it off the waiting ones without sending. */
  drop(event: SandboxEvent): void;
  /** Stops listening and delivering. */
  close(): Promise<void>;
}
