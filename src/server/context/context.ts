import type { Coupon } from '#contract/coupons/coupons.ts';
import type { PaymentClient } from '#contract/money/payments.ts';
import type { UserStatus } from '#contract/people/accounts.ts';
import type { ApiScope } from '#contract/people/api-keys.ts';
import type { UserRole } from '#contract/people/roles.ts';
import type { SettingName } from '#contract/people/settings.ts';
import type { Clock } from '#server/core/clock.ts';
import type { Config } from '#server/core/config.ts';
import type { Vault } from '#server/core/crypto.ts';
import type { LiveEvents } from '#server/core/live.ts';
import type { Logger } from '#server/core/log.ts';
import type { RateLimiter } from '#server/core/rate-limit.ts';
import type { Database } from '#server/database/client.ts';
import type { RunningSettings } from '#server/people/settings/running.ts';
import type { InboundMail } from '#server/providers/inbound-mail/inbound-mail.ts';
import type { Mailer } from '#server/providers/mail/mailer.ts';
import type { OpenId } from '#server/providers/openid/openid.ts';
import type { PaymentProviders } from '#server/providers/payments.ts';
import type { Push } from '#server/providers/push/push.ts';
import type { SearchEngines } from '#server/providers/search-engines/search-engines.ts';
import type { FileStorage } from '#server/providers/storage/storage.ts';
import type { Validators } from '#server/providers/validators/validators.ts';
import type { Wallets } from '#server/providers/wallets/wallets.ts';
import type { Webhooks } from '#server/providers/webhooks/webhooks.ts';
import type { FeedPictures } from '#server/readers/feeds/feed-pictures.ts';
import type { Feed } from '#server/readers/feeds/feeds.ts';
import type { FeedSetting } from '#server/readers/feeds/settings.ts';
import type { Pictures } from '#server/readers/pictures/pictures.ts';

/**
 * The person who acts. Read from the session on every call, so that a change of role or status takes effect at once.
 */
export interface Actor {
  readonly id: number;
  readonly username: string;
  readonly role: UserRole;
  readonly status: UserStatus;
  /** When the account was made. */
  readonly memberSince: Date;
  /** Whether the e-mail address is confirmed, which dealing needs. */
  readonly isConfirmed: boolean;
  /** Whether deals with enough people have gone well (`DEALS_TO_ESTABLISH`). */
  readonly isEstablished: boolean;
}

/** The facts about a session that rules use. */
export interface SessionFacts {
  /** Whether the account did not know the browser when it signed in. */
  readonly isNewBrowser: boolean;
  /** When the second factor was last given in this session, after the sign-in. */
  readonly confirmedAt: Date | null;
}

/** The key with which a program acts for a person. */
export interface ApiKeyFacts {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly ApiScope[];
}

/** External services, each behind our own interface. */
export interface Providers {
  readonly payments: PaymentProviders;
  /** What the browser needs to load the payment providers' scripts. */
  readonly paymentClient: PaymentClient;
  readonly storage: FileStorage;
  readonly pictures: Pictures;
  readonly validators: Validators;
  /** The feeds as they are set up at the moment. */
  readonly feeds: () => readonly Feed[];
  /** A feed that is only tried: with tight limits, for somebody who waits. */
  readonly tryFeed: (setting: FeedSetting) => Feed;
  readonly feedPictures: FeedPictures;
  /** Null: mail is not configured, and stays in the outbox. */
  readonly mail: Mailer | null;
  readonly push: Push;
  /** The programs of people. */
  readonly webhooks: Webhooks;
  /** Null: nobody can forward vouchers by mail. */
  readonly inboundMail: InboundMail | null;
  /** The wallets of phones. */
  readonly wallets: Wallets;
  /** Null: nobody signs in with a provider. */
  readonly openId: OpenId | null;
  readonly searchEngines: SearchEngines;
}

/** What every service function receives. */
export interface Context {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly limiter: RateLimiter;
  readonly log: Logger;
  /** Live events for open browsers. */
  readonly live: LiveEvents;
  readonly providers: Providers;
  /** The settings that rules use. */
  readonly config: Pick<Config, 'publicUrl' | 'supportEmail' | 'validatorOrigins' | SettingName>;
  /** Where the settings come from that admins change while the market runs; `config` has what holds for this call. */
  readonly settings: RunningSettings;
  /** The fees that the caller's page was made with, as it states them; null: the caller is no page. */
  readonly shownFees?: string | null;
  readonly actor: Actor | null;
  /** The caller's session; none for jobs and command-line programs. */
  readonly session?: SessionFacts | null;
  /** The key that the call came with; then there is no session. */
  readonly apiKey?: ApiKeyFacts | null;
  /** The caller's IP address, for rate limits. */
  readonly ip: string;
  /** The caller's User-Agent header, cut off at `USER_AGENT_MAX`; '' if there is none. */
  readonly userAgent: string;
  /** The country of a caller without an account, in ISO 3166-1 alpha-2, as far as it is known. */
  readonly visitorCountry?: string | null;
  /** The coupons that were asked for in this call, by their ids; a call that may change them keeps none. */
  readonly coupons?: Map<number, Promise<Coupon>>;
}

/** The context of a signed-in person. */
export interface MemberContext extends Context {
  readonly actor: Actor;
}
