import type { NotificationType } from '#contract/notifications.ts';
import { quote } from '#contract/words.ts';
import type { AccountMailKind, InsteadKind } from '../outbox-store.ts';
import type { Text } from './text.ts';

/** The texts about accounts, and what all mails have in common. */

/** The mail of each type of news: the subject where the news has none of its own. */
export const NEWS_MAILS: Record<
  NotificationType,
  { readonly subject: string; readonly button: string; readonly about: string }
> = {
  exchange_request: {
    subject: 'Somebody wants to swap with you',
    button: 'See the proposal',
    about: 'exchange requests',
  },
  exchange_accepted: {
    subject: 'Your exchange was accepted',
    button: 'See the exchange',
    about: 'accepted exchanges',
  },
  exchange_rejected: {
    subject: 'Your exchange was declined',
    button: 'See the exchange',
    about: 'declined exchanges',
  },
  exchange_completed: {
    subject: 'Your exchange is complete',
    button: 'See the exchange',
    about: 'completed exchanges',
  },
  message: { subject: 'You have a new message', button: 'Read the message', about: 'new messages' },
  want: {
    subject: 'What you look for is here',
    button: 'See it on ClipSwap',
    about: 'coupons that you look for',
  },
  match: {
    subject: 'We have found a swap for you',
    button: 'See the match',
    about: 'swaps that we find for you',
  },
  other: {
    subject: 'News from ClipSwap',
    button: 'See it on ClipSwap',
    about: 'bids, payments and your coupons',
  },
};

/** The end of every mail, and the link to print a receipt. */
export const MAIL_TEXTS = {
  newsReason: ({ about }: { about: string }) =>
    `You get this mail because you have an account at ClipSwap, and mail about ${about} is switched on in your settings.`,
  unsubscribe: ({ about }: { about: string }) => `No more mail about ${about}`,
  helpByAnswer: 'Do you need help? Answer this mail.',
  helpByMail: ({ address }: { address: string }) => `Do you need help? Write to ${address}.`,
  print: 'See it up to date, or print it',
};

const NOT_YOU =
  'If this was not you, press the button within 7 days and choose a new password. That signs everybody out and removes every passkey.';
const NOT_ME = 'This was not me';
const SAFETY = 'You get this mail because it is about the safety of your account.';

/** The lines of a stored text. */
const linesOf = (text: string) => text.split(/\n+/).filter((line) => line.trim() !== '');

interface AccountMailTexts {
  readonly subject: string;
  /** @param stored the text that is stored with the mail; each kind says what it is */
  readonly paragraphs: (stored: string) => readonly string[];
  readonly button: string | null;
  readonly reason: string;
}

/** Mail about the account itself. */
export const ACCOUNT_MAILS: Record<AccountMailKind | InsteadKind, AccountMailTexts> = {
  verify_email: {
    subject: 'Confirm your e-mail address',
    paragraphs: () => [
      'Please confirm that this address is yours: then we can write to you about your exchanges and bids, and you can get back into your account if you forget your password.',
      'The link works for 24 hours.',
    ],
    button: 'Confirm this address',
    reason:
      'You get this mail because this address was given to ClipSwap. If it was not you, do nothing: without the confirmation no other mail of that account comes here.',
  },
  address_in_use: {
    subject: 'You have an account already',
    paragraphs: (username) => [
      `Somebody, perhaps you, has given this address for an account at ClipSwap. You have one with it already: ${username}. Nothing about it has changed, and no other account can use your address.`,
      'If you have forgotten your password, you can choose a new one where you sign in.',
    ],
    button: 'Sign in',
    reason:
      'You get this mail because this address was given to ClipSwap. If it was not you, you need not do anything.',
  },
  address_retired: {
    subject: 'This address cannot be used again',
    paragraphs: () => [
      'Somebody, perhaps you, has given this address for an account at ClipSwap. It was the address of an account that was deleted, and such addresses are not used again.',
      'If it was you, give another address in your settings.',
    ],
    button: 'See your settings',
    reason:
      'You get this mail because this address was given to ClipSwap. If it was not you, you need not do anything.',
  },
  reset_password: {
    subject: 'Choose a new password',
    paragraphs: () => [
      'Somebody, we hope you, has asked for a new password for your account.',
      'The link works for one hour, and once.',
    ],
    button: 'Choose a new password',
    reason:
      'You get this mail because a new password was asked for. If it was not you, do nothing: your password stays as it is.',
  },
  password_changed: {
    subject: 'Your password was changed',
    paragraphs: (waysIn) => ['The password of your account was changed.', ...linesOf(waysIn), NOT_YOU],
    button: NOT_ME,
    reason: SAFETY,
  },
  email_changed: {
    subject: 'Your email address was changed',
    paragraphs: () => [
      'The e-mail address of your account was changed. What we write about your account goes to the new address from now on.',
      'If this was not you, press the button within 7 days: the account gets this address back, everybody is signed out, every passkey is removed, and you choose a new password.',
    ],
    button: NOT_ME,
    reason: 'You get this mail, for the last time here, because this was the address of your account.',
  },
  account_deleted: {
    subject: 'Your account was deleted',
    paragraphs: () => [
      'Your account was deleted, with your name, your address and what you wrote about yourself. What you traded stays in the other party’s history, without your name.',
      'Thank you for having been here.',
    ],
    button: null,
    reason: 'You get this mail, the last one from us, because this was the address of your account.',
  },
  new_browser: {
    subject: 'Signed in from a new browser',
    paragraphs: (browser) => [
      `Somebody, we hope you, has signed in to your account in a browser that we have not seen there before: ${browser}.`,
      NOT_YOU,
    ],
    button: NOT_ME,
    reason: SAFETY,
  },
  second_factor: {
    subject: 'The second factor of your account has changed',
    paragraphs: (change) => [
      change,
      `${NOT_YOU} If the second factor was turned on, it is turned off again.`,
    ],
    button: NOT_ME,
    reason: SAFETY,
  },
  second_factor_tries: {
    subject: 'Somebody is guessing your codes',
    paragraphs: () => [
      'Somebody has entered many wrong codes for your authenticator app. We take no more of its codes there for a day. Whoever it is knows your password, or uses a browser in which you have signed in.',
      NOT_YOU,
      'Meanwhile you can sign in with a recovery code or a passkey, or with a code of the app in another browser that you have used before.',
    ],
    button: NOT_ME,
    reason: SAFETY,
  },
  passkey: {
    subject: 'The passkeys of your account have changed',
    paragraphs: (change) => [change, `A passkey signs in without your password. ${NOT_YOU}`],
    button: NOT_ME,
    reason: SAFETY,
  },
  passkey_copied: {
    subject: 'A passkey of yours may have been copied',
    paragraphs: (name) => [
      `Your passkey ${quote(name)} was used and refused: its counter of signatures went back. That happens when a passkey has been copied.`,
      'If you cannot explain this, remove the passkey in your settings, and add a new one on your own device. If this was not you, press the button: that signs everybody out, removes every passkey, and lets you choose a new password.',
    ],
    button: NOT_ME,
    reason: SAFETY,
  },
  status_changed: {
    subject: 'The standing of your account has changed',
    paragraphs: linesOf,
    button: 'See your deals',
    reason: 'You get this mail because it is about your account at ClipSwap.',
  },
};

/** A change of the ways to sign in: for the person's history, and for the mail. */
interface ChangeTexts<Facts> {
  readonly history: Text<Facts>;
  readonly mail: Text<Facts>;
}

export const SECOND_FACTOR_TEXTS = {
  on: {
    history: 'Second factor was turned on',
    mail: 'The second factor of your account was turned on.',
  },
  off: {
    history: 'Second factor was turned off',
    mail: 'The second factor of your account was turned off.',
  },
  lost: {
    history: 'Second factor was turned off by an administrator, because it was reported as lost',
    mail: 'The second factor of your account was turned off by an administrator, because it was reported as lost.',
  },
  lostWithPasskeys: {
    history:
      'Second factor was turned off by an administrator, because it was reported as lost; the passkeys were removed with it',
    mail: 'The second factor of your account was turned off by an administrator, because it was reported as lost; the passkeys were removed with it.',
  },
};

export const PASSKEY_TEXTS: Record<'added' | 'removed', ChangeTexts<{ readonly name: string }>> = {
  added: {
    history: ({ name }) => `Passkey added: ${name}`,
    mail: ({ name }) => `A passkey was added to your account: ${quote(name)}.`,
  },
  removed: {
    history: ({ name }) => `Passkey removed: ${name}`,
    mail: ({ name }) => `A passkey was removed from your account: ${quote(name)}.`,
  },
};

/** The lines of a person's history about their account. */
export const ACCOUNT_HISTORY = {
  joined: 'Joined ClipSwap',
  signedIn: 'Signed in',
  signedInByPasskey: 'Signed in with a passkey',
  signedInByDefenceLink: 'Opened the mailed link of a banned account',
  profileUpdated: 'Profile updated',
  addressConfirmed: 'E-mail address confirmed',
  addressChanged: 'E-mail address changed',
  addressTakenBack: 'E-mail address taken back',
  passwordReset: 'Password reset',
  passwordChanged: 'Password changed',
  passkeyCopied: ({ name }: { name: string }) => `Passkey refused, it may have been copied: ${name}`,
  roleChanged: ({ role }: { role: string }) => `Role changed to ${role}`,
};

/** The ways to sign in that a new password has ended, and those it has left. Days are UTC, such as 2026-11-25. */
export const WAYS_IN_TEXTS = {
  ended: ({ ways }: { ways: readonly string[] }) => `Ended: ${ways.join(', ')}.`,
  stillOn: ({ ways }: { ways: readonly string[] }) => `Still on: ${ways.join(', ')}.`,
  devices: ({ count }: { count: number }) =>
    count === 1 ? '1 signed-in device' : `${count} signed-in devices`,
  passkey: ({ name, day }: { name: string; day: string }) => `passkey ${quote(name)} (added ${day})`,
  authenticator: ({ day }: { day: string }) => `authenticator app (since ${day})`,
  recoveryCodes: ({ count, day }: { count: number; day: string | null }) => {
    const codes = count === 1 ? '1 recovery code' : `${count} recovery codes`;
    return day === null ? codes : `${codes} (made ${day})`;
  },
};

/** '…, on 2026-11-25 at 14:05 UTC'. */
export const NEW_BROWSER_TEXT: Text<{ readonly device: string; readonly at: Date }> = ({ device, at }) =>
  `${device}, on ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC`;

/** For a banned person who gave a coupon that somebody complains about. */
export const CLAIM_FOR_BANNED_TEXT =
  'Somebody claims that a code does not work that you have given them. You can say what you know of it.';
