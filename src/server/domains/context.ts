import type { UserRole, UserStatus } from '#contract/accounts.ts';
import type { Clock } from '#server/core/clock.ts';
import type { Vault } from '#server/core/crypto.ts';
import type { Logger } from '#server/core/log.ts';
import type { RateLimiter } from '#server/core/rate-limit.ts';
import type { Database } from '#server/database/client.ts';

/** Who acts: read from the session at every call, so that a change of role or status counts at once. */
export interface Actor {
  readonly id: number;
  readonly username: string;
  readonly role: UserRole;
  readonly status: UserStatus;
}

/** What every service function is handed. */
export interface Context {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly limiter: RateLimiter;
  readonly log: Logger;
  readonly actor: Actor | null;
  /** The caller's address, for limits. */
  readonly ip: string;
}

/** The context of somebody signed in. */
export interface MemberContext extends Context {
  readonly actor: Actor;
}
