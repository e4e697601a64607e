import {
  NOTIFICATION_TYPES,
  type NotificationPreference,
  type NotificationType,
} from '#contract/notifications.ts';

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
 * Where a mail goes, judged when it is sent; null: nowhere. News goes to confirmed addresses alone, of people who
 * want it, and to nobody who is banned or gone; mail of the account always goes.
 */
export function addressOf(mail: Recipient): string | null {
  const own = mail.isDeleted ? null : mail.email;
  if (mail.kind !== 'notification') return mail.address ?? own;
  const getsNews = mail.isVerified && mail.status !== 'banned' && mail.wantsMail !== false;
  return getsNews ? own : null;
}

/** What somebody wants of every kind of news, in the contract's order; told in both ways unless they said otherwise. */
export function allPreferences(chosen: readonly NotificationPreference[]): NotificationPreference[] {
  return NOTIFICATION_TYPES.map(
    (type) => chosen.find((preference) => preference.type === type) ?? { type, inApp: true, mail: true },
  );
}

/** Who wants to get no more mail of what kind, as the link in a mail says. */
export interface Unsubscription {
  readonly userId: number;
  readonly type: NotificationType;
}

/** The text that the seal of an unsubscribe link is made over. */
export function unsubscribeText({ userId, type }: Unsubscription): string {
  return `unsubscribe:${userId}.${type}`;
}

/** The token of an unsubscribe link. @param seal of `unsubscribeText` */
export function writeUnsubscribeToken({ userId, type }: Unsubscription, seal: string): string {
  return `${userId}.${type}.${seal}`;
}

/** What a token says, whose seal is still to be checked; null when it is none of ours. */
export function readUnsubscribeToken(token: string): (Unsubscription & { readonly seal: string }) | null {
  const [, id, name, seal] = /^([1-9]\d{0,9})\.([a-z_]+)\.([0-9a-f]{64})$/.exec(token) ?? [];
  const type = NOTIFICATION_TYPES.find((known) => known === name);
  if (id === undefined || seal === undefined || type === undefined) return null;
  return { userId: Number(id), type, seal };
}
