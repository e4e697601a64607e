import { plural } from '@lingui/core/macro';
import { listed } from '#contract/locale.ts';
import type { NotificationType } from '#contract/notifications.ts';
import { quote } from '#contract/words.ts';
import type { AccountMailKind, InsteadKind } from '../outbox-store.ts';
import type { Text } from './text.ts';

/** The texts about accounts, and what all mails have in common. */

/** The mail of each type of news: the subject where the news has none of its own. */
export const NEWS_MAILS: Record<
  NotificationType,
  { readonly subject: string; readonly button: string; readonly reason: string; readonly stop: string }
> = {
  exchange_request: {
    subject: 'Someone wants to swap with you',
    button: 'See the proposal',
    reason:
      'You get this email because you have a ClipSwap account and emails about exchange requests are on in your settings.',
    stop: 'Stop emails about exchange requests',
  },
  exchange_accepted: {
    subject: 'Your exchange was accepted',
    button: 'See the exchange',
    reason:
      'You get this email because you have a ClipSwap account and emails about accepted exchanges are on in your settings.',
    stop: 'Stop emails about accepted exchanges',
  },
  exchange_rejected: {
    subject: 'Your exchange was declined',
    button: 'See the exchange',
    reason:
      'You get this email because you have a ClipSwap account and emails about declined exchanges are on in your settings.',
    stop: 'Stop emails about declined exchanges',
  },
  exchange_completed: {
    subject: 'Your exchange is complete',
    button: 'See the exchange',
    reason:
      'You get this email because you have a ClipSwap account and emails about completed exchanges are on in your settings.',
    stop: 'Stop emails about completed exchanges',
  },
  message: {
    subject: 'You have a new message',
    button: 'Read the message',
    reason:
      'You get this email because you have a ClipSwap account and emails about new messages are on in your settings.',
    stop: 'Stop emails about new messages',
  },
  want: {
    subject: 'A coupon on your wish list is here',
    button: 'See it on ClipSwap',
    reason:
      'You get this email because you have a ClipSwap account and emails about coupons on your wish list are on in your settings.',
    stop: 'Stop emails about coupons on your wish list',
  },
  match: {
    subject: 'We found a swap for you',
    button: 'See the match',
    reason:
      'You get this email because you have a ClipSwap account and emails about swaps we find for you are on in your settings.',
    stop: 'Stop emails about swaps we find for you',
  },
  other: {
    subject: 'News from ClipSwap',
    button: 'See it on ClipSwap',
    reason:
      'You get this email because you have a ClipSwap account and emails about bids, payments and your coupons are on in your settings.',
    stop: 'Stop emails about bids, payments and your coupons',
  },
  weekly: {
    subject: 'Your week on ClipSwap',
    button: 'Open ClipSwap',
    reason:
      'You get this email because you have a ClipSwap account and the weekly email is on in your settings.',
    stop: 'Stop the weekly email',
  },
};

/** The end of every mail, and the link to print a receipt. */
export const MAIL_TEXTS = {
  helpByAnswer: 'Need help? Reply to this email.',
  helpByMail: ({ address }: { address: string }) => `Need help? Write to ${address}.`,
  print: 'See the latest version, or print it',
};

const NOT_YOU =
  'If this was not you, press the button within 7 days and choose a new password. That signs everyone out and removes every passkey.';
const NOT_ME = 'This was not me';
const SAFETY = 'You get this email because it is about the safety of your account.';

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
    subject: 'Confirm your email address',
    paragraphs: () => [
      'Please confirm that this address is yours. Then we can write to you about your swaps and bids, and you can get back into your account if you forget your password.',
      'The link works for 24 hours.',
    ],
    button: 'Confirm this address',
    reason:
      'You get this email because someone gave this address to ClipSwap. If it was not you, ignore it: unless you confirm the address, that account sends no other email here.',
  },
  address_in_use: {
    subject: 'You already have an account',
    paragraphs: (username) => [
      `Someone, perhaps you, gave this address for a ClipSwap account. You already have an account with it: ${username}. Nothing about it has changed, and no other account can use your address.`,
      'If you forgot your password, you can choose a new one on the sign-in page.',
    ],
    button: 'Sign in',
    reason: 'You get this email because someone gave this address to ClipSwap. If it was not you, ignore it.',
  },
  address_retired: {
    subject: 'This address cannot be used again',
    paragraphs: () => [
      'Someone, perhaps you, gave this address for a ClipSwap account. It belonged to an account that was deleted, and we do not use such addresses again.',
      'If it was you, enter another address in your settings.',
    ],
    button: 'See your settings',
    reason: 'You get this email because someone gave this address to ClipSwap. If it was not you, ignore it.',
  },
  reset_password: {
    subject: 'Choose a new password',
    paragraphs: () => [
      'Someone, hopefully you, asked for a new password for your account.',
      'The link works once, within one hour.',
    ],
    button: 'Choose a new password',
    reason:
      'You get this email because someone asked for a new password. If it was not you, ignore it: your password stays as it is.',
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
      'The email address of your account was changed. From now on we write to the new address.',
      'If this was not you, press the button within 7 days: the account gets this address back, everyone is signed out, every passkey is removed, and you choose a new password.',
    ],
    button: NOT_ME,
    reason: 'This is our last email to this address. You get it because it was the address of your account.',
  },
  account_deleted: {
    subject: 'Your account was deleted',
    paragraphs: () => [
      'Your account was deleted, with your name, your address and what you wrote about yourself. What you traded stays in the other party’s history, without your name.',
      'Thank you for being part of ClipSwap.',
    ],
    button: null,
    reason: 'This is our last email to you. You get it because this was the address of your account.',
  },
  new_browser: {
    subject: 'Signed in from a new browser',
    paragraphs: (browser) => [
      `Someone, hopefully you, signed in to your account from a browser we have not seen before: ${browser}.`,
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
    subject: 'Someone is guessing your codes',
    paragraphs: () => [
      'Someone has entered many wrong codes for your authenticator app, so we accept no more of its codes there for a day. This person knows your password or uses a browser you have signed in with.',
      NOT_YOU,
      'You can still sign in with a recovery code or a passkey, or with a code from the app in another browser you have used before.',
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
    subject: 'One of your passkeys may have been copied',
    paragraphs: (name) => [
      `Someone tried to sign in with your passkey ${quote(name)}, and we refused: its signature counter went backwards. That can mean that the passkey was copied.`,
      'If you cannot explain this, remove the passkey in your settings and add a new one on your own device. If this was not you, press the button: that signs everyone out, removes every passkey and lets you choose a new password.',
    ],
    button: NOT_ME,
    reason: SAFETY,
  },
  data_export: {
    subject: 'The copy of your data is ready',
    paragraphs: () => [
      'You asked for a copy of everything we store about you. You can download it in your settings for 24 hours.',
      'If you did not ask for it, choose a new password in your settings: that signs everyone else out.',
    ],
    button: 'Download it',
    reason:
      'You get this email because someone who is signed in to your account asked for a copy of your data.',
  },
  status_changed: {
    subject: 'Your account’s status has changed',
    paragraphs: linesOf,
    button: 'See your deals',
    reason: 'You get this email because it is about your ClipSwap account.',
  },
};

/** A change of the ways to sign in: for the person's history, and for the mail. */
interface ChangeTexts<Facts> {
  readonly history: Text<Facts>;
  readonly mail: Text<Facts>;
}

export const SECOND_FACTOR_TEXTS = {
  on: {
    history: 'Second factor turned on',
    mail: 'The second factor of your account was turned on.',
  },
  off: {
    history: 'Second factor turned off',
    mail: 'The second factor of your account was turned off.',
  },
  lost: {
    history: 'An admin turned off your second factor because it was reported as lost',
    mail: 'An admin turned off the second factor of your account because it was reported as lost.',
  },
  lostWithPasskeys: {
    history:
      'An admin turned off your second factor and removed your passkeys because the second factor was reported as lost',
    mail: 'An admin turned off the second factor of your account and removed your passkeys because the second factor was reported as lost.',
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
  signedInByDefenceLink: 'Opened the emailed link for a banned account',
  profileUpdated: 'Profile updated',
  addressConfirmed: 'Email address confirmed',
  addressChanged: 'Email address changed',
  addressTakenBack: 'Email address restored',
  passwordReset: 'Password reset',
  passwordChanged: 'Password changed',
  export: 'Asked for a copy of their data',
  exportWithCodes: 'Asked for a copy of their data with the codes of their coupons',
  passkeyCopied: ({ name }: { name: string }) => `Passkey refused, it may have been copied: ${name}`,
  roleChanged: ({ role }: { role: string }) => `Role changed to ${role}`,
};

/** The ways to sign in that a new password has ended, and those it has left. Days are UTC, such as 2026-11-25. */
export const WAYS_IN_TEXTS = {
  ended: ({ ways }: { ways: readonly string[] }) => `Ended: ${listed(ways)}.`,
  stillOn: ({ ways }: { ways: readonly string[] }) => `Still on: ${listed(ways)}.`,
  devices: ({ count }: { count: number }) =>
    plural(count, { one: '# signed-in device', other: '# signed-in devices' }),
  passkey: ({ name, day }: { name: string; day: string }) => `passkey ${quote(name)} (added ${day})`,
  authenticator: ({ day }: { day: string }) => `authenticator app (since ${day})`,
  recoveryCodes: ({ count, day }: { count: number; day: string | null }) =>
    day === null
      ? plural(count, { one: '# recovery code', other: '# recovery codes' })
      : plural(count, {
          one: `# recovery code (created ${day})`,
          other: `# recovery codes (created ${day})`,
        }),
};

/** '…, on 2026-11-25 at 14:05 UTC'. */
export const NEW_BROWSER_TEXT: Text<{ readonly device: string; readonly at: Date }> = ({ device, at }) =>
  `${device}, on ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC`;

/** For a banned person who gave a coupon that somebody complains about. */
export const CLAIM_FOR_BANNED_TEXT =
  'Someone claims that a code you gave them does not work. You can tell us what you know about it.';
