/** A browser that gets pushes, as it told us itself. */
export interface PushTarget {
  readonly endpoint: string;
  /** In base64url. */
  readonly p256dh: string;
  readonly auth: string;
}

export interface PushMessage {
  /** Only the browser can read it. */
  readonly payload: string;
  /** How long the push service keeps it for a browser that is off. */
  readonly ttlSeconds: number;
  /** `low` may wait until a phone has power. */
  readonly urgency: 'normal' | 'low';
  /** Of pushes with the same one the push service keeps the newest; 32 characters of base64url. */
  readonly topic: string;
}

/** Our way to the push services of browsers (RFC 8030). */
export interface Push {
  /** By which push services know us (RFC 8292): 65 bytes in base64url. */
  readonly publicKey: string;
  /** Whether an address is one of a known push service: nothing is ever sent elsewhere. */
  isPushService(endpoint: string): boolean;
  /**
   * Sends a push, encrypted for the browser.
   * @throws PushGone when the browser gets no more pushes, PushRefused when another attempt would fail, too; any other
   *   error, mostly PushDeferred: try again
   */
  send(target: PushTarget, message: PushMessage): Promise<void>;
}

/** The browser gets no more pushes there. */
export class PushGone extends Error {}

/** The push service refused it for good. The message names no address and no key. */
export class PushRefused extends Error {}

/** The attempt failed. The message names no address and no key. */
export class PushDeferred extends Error {
  /** The push service wants no other attempt for so many seconds; null: it does not say. */
  readonly retryAfter: number | null;

  constructor(message: string, { retryAfter = null }: { retryAfter?: number | null } = {}) {
    super(message);
    this.retryAfter = retryAfter;
  }
}
