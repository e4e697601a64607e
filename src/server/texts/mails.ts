import { t } from '@lingui/core/macro';
import { marketName } from '#contract/base/market.ts';
import { quote } from '#contract/base/words.ts';
import type { NotificationType } from '#contract/people/notifications.ts';
import { stored } from './stored.ts';
import { sentences } from './text.ts';

/** Mail about the account itself; it cannot be switched off. */
export type AccountMailKind =
  | 'verify_email'
  | 'reset_password'
  | 'password_changed'
  | 'email_changed'
  | 'account_deleted'
  | 'status_changed'
  | 'new_browser'
  | 'second_factor'
  | 'second_factor_tries'
  | 'passkey'
  | 'identity'
  | 'passkey_copied'
  | 'api_key'
  | 'data_export'
  | 'webhook'
  | 'webhook_off';

/** What goes to an address in place of the link that confirms it; decided when that mail is sent. */
export type InsteadKind = 'address_in_use' | 'address_retired';

/** The texts of mails and pushes: what all of a kind have in common. */

/** The mail of each type of news: the subject where the news has none of its own. */
export const NEWS_MAILS: Record<
  NotificationType,
  Record<'subject' | 'button' | 'reason' | 'stop', () => string>
> = {
  exchange_request: {
    subject: () => t`You have a new exchange request`,
    button: () => t`See the request`,
    reason: () =>
      t`You get this email because you have a ${{ market: marketName() }} account and emails about exchange requests are on in your settings.`,
    stop: () => t`Stop emails about exchange requests`,
  },
  exchange_accepted: {
    subject: () => t`Your exchange was accepted`,
    button: () => t`See the exchange`,
    reason: () =>
      t`You get this email because you have a ${{ market: marketName() }} account and emails about accepted exchanges are on in your settings.`,
    stop: () => t`Stop emails about accepted exchanges`,
  },
  exchange_rejected: {
    subject: () => t`Your exchange was declined`,
    button: () => t`See the exchange`,
    reason: () =>
      t`You get this email because you have a ${{ market: marketName() }} account and emails about declined exchanges are on in your settings.`,
    stop: () => t`Stop emails about declined exchanges`,
  },
  exchange_completed: {
    subject: () => t`Your exchange is complete`,
    button: () => t`See the exchange`,
    reason: () =>
      t`You get this email because you have a ${{ market: marketName() }} account and emails about completed exchanges are on in your settings.`,
    stop: () => t`Stop emails about completed exchanges`,
  },
  message: {
    subject: () => t`You have a new message`,
    button: () => t`Read the message`,
    reason: () =>
      t`You get this email because you have a ${{ market: marketName() }} account and emails about new messages are on in your settings.`,
    stop: () => t`Stop emails about new messages`,
  },
  want: {
    subject: () => t`A coupon on your wish list is here`,
    button: () => t`See it on ${{ market: marketName() }}`,
    reason: () =>
      t`You get this email because you have a ${{ market: marketName() }} account and emails about coupons on your wish list are on in your settings.`,
    stop: () => t`Stop emails about coupons on your wish list`,
  },
  match: {
    subject: () => t`We found an exchange for you`,
    button: () => t`See the match`,
    reason: () =>
      t`You get this email because you have a ${{ market: marketName() }} account and emails about exchanges we find for you are on in your settings.`,
    stop: () => t`Stop emails about exchanges we find for you`,
  },
  other: {
    subject: () => t`News from ${{ market: marketName() }}`,
    button: () => t`See it on ${{ market: marketName() }}`,
    reason: () =>
      t`You get this email because you have a ${{ market: marketName() }} account and emails about bids, payments and your coupons are on in your settings.`,
    stop: () => t`Stop emails about bids, payments and your coupons`,
  },
  weekly: {
    subject: () => t`Your week on ${{ market: marketName() }}`,
    button: () => t`Open ${{ market: marketName() }}`,
    reason: () =>
      t`You get this email because you have a ${{ market: marketName() }} account and the weekly email is on in your settings.`,
    stop: () => t`Stop the weekly email`,
  },
};

/** The end of every mail, and the link to print a receipt. */
export const MAIL_TEXTS = {
  helpByAnswer: () => t`Need help? Reply to this email.`,
  helpByMail: ({ address }: { address: string }) => t`Need help? Write to ${address}.`,
  print: () => t`See the latest version, or print it`,
};

const notYou = () =>
  t`If this was not you, press the button within 7 days and choose a new password. That signs everyone out and removes every passkey and every linked sign-in.`;
const notYouWithKeys = () =>
  t`If this was not you, press the button within 7 days and choose a new password. That signs everyone out, removes every passkey and every linked sign-in, ends every key, and switches off every webhook.`;
const notMe = () => t`This was not me`;
const safety = () => t`You get this email because it is about the safety of your account.`;

/** The lines of a stored text. */
const linesOf = (text: string) => text.split(/\n+/).filter((line) => line.trim() !== '');

interface AccountMailTexts {
  readonly subject: () => string;
  /** @param stored the text that is stored with the mail; each kind says what it is */
  readonly paragraphs: (stored: string) => readonly string[];
  readonly button: (() => string) | null;
  readonly reason: () => string;
}

/** Mail about the account itself. */
export const ACCOUNT_MAILS: Record<AccountMailKind | InsteadKind, AccountMailTexts> = {
  verify_email: {
    subject: () => t`Confirm your email address`,
    paragraphs: () => [
      t`Please confirm that this address is yours. Then we can write to you about your exchanges and bids, and you can get back into your account if you forget your password.`,
      t`The link works for 24 hours.`,
    ],
    button: () => t`Confirm this address`,
    reason: () =>
      t`You get this email because someone gave this address to ${{ market: marketName() }}. If it was not you, ignore it: unless you confirm the address, that account sends no other email here.`,
  },
  address_in_use: {
    subject: () => t`You already have an account`,
    paragraphs: (username) => [
      t`Someone, perhaps you, gave this address for a ${{ market: marketName() }} account. You already have an account with it: ${username}. Nothing about it has changed, and no other account can use your address.`,
      t`If you forgot your password, you can choose a new one on the sign-in page.`,
    ],
    button: () => t`Sign in`,
    reason: () =>
      t`You get this email because someone gave this address to ${{ market: marketName() }}. If it was not you, ignore it.`,
  },
  address_retired: {
    subject: () => t`This address cannot be used again`,
    paragraphs: () => [
      t`Someone, perhaps you, gave this address for a ${{ market: marketName() }} account. It belonged to an account that was deleted, and we do not use such addresses again.`,
      t`If it was you, enter another address in your settings.`,
    ],
    button: () => t`See your settings`,
    reason: () =>
      t`You get this email because someone gave this address to ${{ market: marketName() }}. If it was not you, ignore it.`,
  },
  reset_password: {
    subject: () => t`Choose a new password`,
    paragraphs: () => [
      t`Someone, hopefully you, asked for a new password for your account.`,
      t`The link works once, within one hour.`,
    ],
    button: () => t`Choose a new password`,
    reason: () =>
      t`You get this email because someone asked for a new password. If it was not you, ignore it: your password stays as it is.`,
  },
  password_changed: {
    subject: () => t`Your password was changed`,
    paragraphs: (waysIn) => [t`The password of your account was changed.`, ...linesOf(waysIn), notYou()],
    button: notMe,
    reason: safety,
  },
  email_changed: {
    subject: () => t`Your email address was changed`,
    paragraphs: () => [
      t`The email address of your account was changed. From now on we write to the new address.`,
      t`If this was not you, press the button within 7 days: the account gets this address back, everyone is signed out, every passkey is removed, and you choose a new password.`,
    ],
    button: notMe,
    reason: () =>
      t`This is our last email to this address. You get it because it was the address of your account.`,
  },
  account_deleted: {
    subject: () => t`Your account was deleted`,
    paragraphs: () => [
      t`Your account was deleted, with your name, your address and what you wrote about yourself. What you traded stays in the other party’s history, without your name.`,
      t`Thank you for being part of ${{ market: marketName() }}.`,
    ],
    button: null,
    reason: () => t`This is our last email to you. You get it because this was the address of your account.`,
  },
  new_browser: {
    subject: () => t`Signed in from a new browser`,
    paragraphs: (browser) => [
      t`Someone, hopefully you, signed in to your account from a browser we have not seen before: ${browser}.`,
      notYou(),
    ],
    button: notMe,
    reason: safety,
  },
  second_factor: {
    subject: () => t`The second factor of your account has changed`,
    paragraphs: (change) => [
      ...linesOf(change),
      sentences(notYou(), t`If the second factor was turned on, it is turned off again.`),
    ],
    button: notMe,
    reason: safety,
  },
  second_factor_tries: {
    subject: () => t`Someone is guessing your codes`,
    paragraphs: () => [
      t`Someone has entered many wrong codes for your authenticator app, so we accept no more of its codes there for a day. This person knows your password or uses a browser you have signed in with.`,
      notYou(),
      t`You can still sign in with a recovery code or a passkey, or with a code from the app in another browser you have used before.`,
    ],
    button: notMe,
    reason: safety,
  },
  passkey: {
    subject: () => t`The passkeys of your account have changed`,
    paragraphs: (change) => [change, sentences(t`A passkey signs in without your password.`, notYou())],
    button: notMe,
    reason: safety,
  },
  identity: {
    subject: () => t`The ways to sign in to your account have changed`,
    paragraphs: (change) => [change, notYou()],
    button: notMe,
    reason: safety,
  },
  passkey_copied: {
    subject: () => t`One of your passkeys may have been copied`,
    paragraphs: (name) => [
      t`Someone tried to sign in with your passkey ${quote(name)}, and we refused: its signature counter went backwards. That can mean that the passkey was copied.`,
      t`If you cannot explain this, remove the passkey in your settings and add a new one on your own device. If this was not you, press the button: that signs everyone out, removes every passkey and lets you choose a new password.`,
    ],
    button: notMe,
    reason: safety,
  },
  api_key: {
    subject: () => t`A key for programs was made for your account`,
    paragraphs: (change) => [
      change,
      sentences(t`You can revoke it in your settings at any time.`, notYouWithKeys()),
    ],
    button: notMe,
    reason: safety,
  },
  webhook: {
    subject: () => t`The webhooks of your account have changed`,
    paragraphs: (change) => [
      change,
      sentences(t`You can see and remove it in your settings at any time.`, notYouWithKeys()),
    ],
    button: notMe,
    reason: safety,
  },
  data_export: {
    subject: () => t`The copy of your data is ready`,
    paragraphs: () => [
      t`You asked for a copy of everything we store about you. You can download it in your settings for 24 hours.`,
      t`If you did not ask for it, choose a new password in your settings: that signs everyone else out.`,
    ],
    button: () => t`Download it`,
    reason: () =>
      t`You get this email because someone who is signed in to your account asked for a copy of your data.`,
  },
  webhook_off: {
    subject: () => t`We switched off one of your webhooks`,
    paragraphs: (what) => [
      what,
      t`Nothing that happens from now on is sent there. When your program works again, switch the webhook on in your settings.`,
    ],
    button: () => t`See your webhooks`,
    reason: () => t`You get this email because you asked us to tell a program of yours about your deals.`,
  },
  status_changed: {
    subject: () => t`Your account’s status has changed`,
    paragraphs: linesOf,
    button: () => t`See your deals`,
    reason: () => t`You get this email because it is about your ${{ market: marketName() }} account.`,
  },
};

/** The subjects of mails that have none of their own. */
export const MAIL_SUBJECTS = stored('subject', {
  news: ({ type }: { type: NotificationType }) => NEWS_MAILS[type].subject(),
  account: ({ kind }: { kind: AccountMailKind | InsteadKind }) => ACCOUNT_MAILS[kind].subject(),
});

/** The line below the title of a push, by the kind of news. */
export const PUSH_LINES: Record<Exclude<NotificationType, 'weekly'>, () => string> = {
  exchange_request: () => t`See what they offer, and answer.`,
  exchange_accepted: () => t`See what comes next.`,
  exchange_rejected: () => t`See it on ${{ market: marketName() }}.`,
  exchange_completed: () => t`See your new coupon.`,
  message: () => t`Someone wrote to you about a deal.`,
  want: () => t`See it before it is gone.`,
  match: () => t`See who would exchange coupons with you.`,
  other: () => t`See what has changed, and what to do next.`,
};

/** What a person gets who tries out push. */
export const TEST_PUSH_TEXTS = stored('testPush', {
  title: () => t`Push notifications work`,
  line: () => t`This device shows them from now on.`,
});
