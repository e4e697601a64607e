import {
  NOTIFICATION_TYPES,
  type NotificationPreference,
  type NotificationType,
} from '#contract/people/notifications.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Seconds to wait after each attempt; the length is the number of attempts. Each is longer than an attempt can take. */
export const BACK_OFF: readonly number[] = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  12 * HOUR,
];

/** Older news is dropped. */
export const MAIL_DAYS = 7;

/** How long finished mail is kept for questions. */
export const KEPT_DAYS = 30;

interface Recipient {
  readonly kind: string;
  readonly address: string | null;
  readonly email: string | null;
  readonly status: string | null;
  readonly isVerified: boolean | null;
  readonly isDeleted: boolean | null;
  readonly wantsMail: boolean | null;
}

/**
 * The address for a mail, decided when it is sent; null if it must not be sent. An address that its owner has not
 * confirmed gets nothing: it may be a stranger's. News goes only to people who want it and are neither banned nor
 * deleted; account mail is always sent.
 */
export function addressOf(mail: Recipient): string | null {
  const own = mail.isDeleted || !mail.isVerified ? null : mail.email;
  if (mail.kind !== 'notification') return mail.address ?? own;
  const getsNews = mail.status !== 'banned' && mail.wantsMail !== false;
  return getsNews ? own : null;
}

/**
 * A person's preferences for every kind of news, in the contract's order. By default all is on.
 */
export function allPreferences(chosen: readonly NotificationPreference[]): NotificationPreference[] {
  return NOTIFICATION_TYPES.map(
    (type) =>
      chosen.find((preference) => preference.type === type) ?? {
        type,
        inApp: true,
        mail: true,
        push: true,
      },
  );
}

/** The person and the kind of mail that an unsubscribe link names. */
export interface Unsubscription {
  readonly userId: number;
  readonly type: NotificationType;
}

/** The text that the signature of an unsubscribe link covers. */
export function unsubscribeText({ userId, type }: Unsubscription): string {
  return `unsubscribe:${userId}.${type}`;
}

/** The token of an unsubscribe link. @param seal the signature of `unsubscribeText` */
export function writeUnsubscribeToken({ userId, type }: Unsubscription, seal: string): string {
  return `${userId}.${type}.${seal}`;
}

/** Reads a token without checking its signature; null if it is malformed. */
export function readUnsubscribeToken(token: string): (Unsubscription & { readonly seal: string }) | null {
  const [, id, name, seal] = /^([1-9]\d{0,9})\.([a-z_]+)\.([0-9a-f]{64})$/.exec(token) ?? [];
  const type = NOTIFICATION_TYPES.find((known) => known === name);
  if (id === undefined || seal === undefined || type === undefined) return null;
  return { userId: Number(id), type, seal };
}
