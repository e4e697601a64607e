import type { NotificationType } from '#contract/notifications.ts';
import type { ClaimedMail } from './outbox-store.ts';

/** What a mail says, whatever it is written in. */
export interface Letter {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** A full web address, and what the button to it is called. */
  readonly button: { readonly label: string; readonly url: string } | null;
  /** Why the reader gets this. */
  readonly reason: string;
  /** Where news of this kind can be ended; null for mail of the account. */
  readonly unsubscribe: { readonly label: string; readonly url: string } | null;
}

/** The full web addresses that a letter leads to. */
export interface LetterLinks {
  /** Of what the mail is about; null where it leads nowhere. */
  readonly main: string | null;
  readonly unsubscribe: string | null;
}

const NEWS: Record<NotificationType, { readonly button: string; readonly about: string }> = {
  exchange_request: { button: 'See the proposal', about: 'exchange requests' },
  exchange_accepted: { button: 'See the exchange', about: 'accepted exchanges' },
  exchange_rejected: { button: 'See the exchange', about: 'declined exchanges' },
  exchange_completed: { button: 'See the exchange', about: 'completed exchanges' },
  message: { button: 'Read the message', about: 'new messages' },
  other: { button: 'See it on ClipSwap', about: 'bids, payments and your coupons' },
};

const NOT_YOU = 'If this was not you, choose a new password at once: whoever did it is signed out by that.';

/** The words of mail of the account; `extra` is what the one who wrote it down had to say. */
const ACCOUNT: Record<
  Exclude<ClaimedMail['kind'], 'notification'>,
  {
    readonly paragraphs: (extra: string) => readonly string[];
    readonly button: string | null;
    readonly reason: string;
  }
> = {
  verify_email: {
    paragraphs: () => [
      'Please confirm that this address is yours: then we can write to you about your exchanges and bids, and you can get back into your account if you forget your password.',
      'The link works for 24 hours.',
    ],
    button: 'Confirm this address',
    reason:
      'You get this mail because this address was given to ClipSwap. If it was not you, do nothing: without the confirmation nothing else comes here.',
  },
  reset_password: {
    paragraphs: () => [
      'Somebody, we hope you, has asked for a new password for your account.',
      'The link works for one hour, and once.',
    ],
    button: 'Choose a new password',
    reason:
      'You get this mail because a new password was asked for. If it was not you, do nothing: your password stays as it is.',
  },
  password_changed: {
    paragraphs: () => ['The password of your account was changed just now.', NOT_YOU],
    button: 'This was not me',
    reason: 'You get this mail because it is about the safety of your account.',
  },
  email_changed: {
    paragraphs: () => [
      'The e-mail address of your account was changed. What we write about your account goes to the new address from now on.',
      'If this was not you, somebody else may be using your account: sign in and change your password, or answer to this mail’s sender.',
    ],
    button: null,
    reason: 'You get this mail, for the last time here, because this was the address of your account.',
  },
  account_deleted: {
    paragraphs: () => [
      'Your account was deleted, with your name, your address and what you wrote about yourself. What you traded stays in the other party’s history, without your name.',
      'Thank you for having been here.',
    ],
    button: null,
    reason: 'You get this mail, the last one from us, because this was the address of your account.',
  },
  status_changed: {
    paragraphs: (extra) => extra.split(/\n+/).filter((line) => line.trim() !== ''),
    button: null,
    reason: 'You get this mail because it is about your account at ClipSwap.',
  },
};

/** What a mail of the outbox says. */
export function letterOf(mail: ClaimedMail, links: LetterLinks): Letter {
  if (mail.kind === 'notification') {
    const { button, about } = NEWS[mail.type ?? 'other'];
    return {
      heading: mail.subject,
      paragraphs: [mail.body],
      button: links.main === null ? null : { label: button, url: links.main },
      reason: `You get this mail because you have an account at ClipSwap, and mail about ${about} is switched on in your settings.`,
      unsubscribe:
        links.unsubscribe === null ? null : { label: `No more mail about ${about}`, url: links.unsubscribe },
    };
  }
  const { paragraphs, button, reason } = ACCOUNT[mail.kind];
  return {
    heading: mail.subject,
    paragraphs: paragraphs(mail.body),
    button: button === null || links.main === null ? null : { label: button, url: links.main },
    reason,
    unsubscribe: null,
  };
}
