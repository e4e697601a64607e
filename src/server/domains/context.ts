import type { UserRole, UserStatus } from '#contract/accounts.ts';
import type { PaymentClient } from '#contract/payments.ts';
import type { Clock } from '#server/core/clock.ts';
import type { Config } from '#server/core/config.ts';
import type { Vault } from '#server/core/crypto.ts';
import type { LiveEvents } from '#server/core/live.ts';
import type { Logger } from '#server/core/log.ts';
import type { RateLimiter } from '#server/core/rate-limit.ts';
import type { Database } from '#server/database/client.ts';
import type { Feed } from '#server/providers/feeds/feeds.ts';
import type { Mailer } from '#server/providers/mail/mailer.ts';
import type { PaymentProviders } from '#server/providers/payments.ts';
import type { Pictures } from '#server/providers/pictures/pictures.ts';
import type { SearchEngines } from '#server/providers/search-engines/search-engines.ts';
import type { FileStorage } from '#server/providers/storage/storage.ts';
import type { Validators } from '#server/providers/validators/validators.ts';

/** Who acts: read from the session at every call, so that a change of role or status counts at once. */
export interface Actor {
  readonly id: number;
  readonly username: string;
  readonly role: UserRole;
  readonly status: UserStatus;
}

/** The programs of others, each behind an interface of ours. */
export interface Providers {
  readonly payments: PaymentProviders;
  /** What the browser needs to load their scripts. */
  readonly paymentClient: PaymentClient;
  readonly storage: FileStorage;
  readonly pictures: Pictures;
  readonly validators: Validators;
  readonly feeds: readonly Feed[];
  /** Null: mail is not set up, and waits. */
  readonly mail: Mailer | null;
  readonly searchEngines: SearchEngines;
}

/** What every service function is handed. */
export interface Context {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly limiter: RateLimiter;
  readonly log: Logger;
  /** How open browsers hear of things at once. */
  readonly live: LiveEvents;
  /** The programs of others that we work with. */
  readonly providers: Providers;
  /** The settings that rules look at. */
  readonly config: Pick<Config, 'publicUrl' | 'supportEmail'>;
  readonly actor: Actor | null;
  /** The caller's address, for limits. */
  readonly ip: string;
  /** What the caller's browser calls itself; '' where there is none. */
  readonly userAgent: string;
}

/** The context of somebody signed in. */
export interface MemberContext extends Context {
  readonly actor: Actor;
}
