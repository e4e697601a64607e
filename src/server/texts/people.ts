import { plural, t } from '@lingui/core/macro';
import { formatDay, listed, utcDayAndTime } from '#contract/base/locale.ts';
import { marketName } from '#contract/base/market.ts';
import { quote } from '#contract/base/words.ts';
import type { UserRole } from '#contract/people/roles.ts';
import { FAILING_DAYS } from '#contract/people/webhooks.ts';
import { type StoredText, stored, type TextOf } from './stored.ts';
import type { Text } from './text.ts';

/** The texts about accounts: for their histories, and what their mails say besides. */

/** A change of the ways to sign in: for the person's history, and for the mail. */
interface ChangeTexts<Facts> {
  readonly history: Text<Facts>;
  readonly mail: Text<Facts>;
}

export const SECOND_FACTOR_TEXTS = stored('secondFactor', {
  on: {
    history: () => t`Second factor turned on`,
    mail: () => t`The second factor of your account was turned on.`,
  },
  off: {
    history: () => t`Second factor turned off`,
    mail: () => t`The second factor of your account was turned off.`,
  },
  lost: {
    history: () => t`An admin turned off your second factor because it was reported as lost`,
    mail: () => t`An admin turned off the second factor of your account because it was reported as lost.`,
  },
  lostWithWaysIn: {
    history: () =>
      t`An admin turned off your second factor and ended every other way into your account because the second factor was reported as lost`,
    /** @param text of WAYS_IN_TEXTS */
    mail: ({ text }: { text: StoredText }, textOf: TextOf) =>
      [
        t`An admin turned off the second factor of your account because it was reported as lost, and ended what else opens it.`,
        textOf(text),
      ].join('\n'),
  },
  // No longer written; rows of history still name it.
  lostWithPasskeys: {
    history: () =>
      t`An admin turned off your second factor and removed your passkeys because the second factor was reported as lost`,
    mail: () =>
      t`An admin turned off the second factor of your account and removed your passkeys because the second factor was reported as lost.`,
  },
});

export const PASSKEY_TEXTS = stored('passkey', {
  added: {
    history: ({ name }) => t`Passkey added: ${name}`,
    mail: ({ name }) => t`A passkey was added to your account: ${quote(name)}.`,
  },
  removed: {
    history: ({ name }) => t`Passkey removed: ${name}`,
    mail: ({ name }) => t`A passkey was removed from your account: ${quote(name)}.`,
  },
} satisfies Record<'added' | 'removed', ChangeTexts<{ readonly name: string }>>);

export const API_KEY_TEXTS = stored('apiKey', {
  made: {
    history: ({ name }: { name: string }) => t`Key for programs made: ${name}`,
    mail: ({ name }: { name: string }) =>
      t`A key for programs was made for your account: ${quote(name)}. Anyone who has it can do what it allows in your name.`,
  },
  revoked: {
    history: ({ name }: { name: string }) => t`Key for programs revoked: ${name}`,
  },
});

/** What a mail says of an address that was switched off. */
export const WEBHOOK_TEXTS = stored('webhook', {
  failed: ({ host }: { host: string }) =>
    t`Your program at ${host} has not accepted anything we sent for ${FAILING_DAYS} days, so we stopped sending.`,
  gone: ({ host }: { host: string }) =>
    t`Your program at ${host} answered that it wants nothing more (status 410), so we stopped sending.`,
});

/** Changes of where a person's programs are told of their deals. */
export const WEBHOOK_CHANGES = stored('webhookChange', {
  added: {
    history: ({ host }) => t`Webhook added: ${host}`,
    mail: ({ host }) =>
      t`A webhook was added to your account. From now on we tell a program at ${host} what happens to your deals.`,
  },
  moved: {
    history: ({ host }) => t`Webhook changed: ${host}`,
    mail: ({ host }) =>
      t`The address of a webhook of your account was changed. From now on we tell a program at ${host} what happens to your deals.`,
  },
  renewed: {
    history: ({ host }) => t`Secret of a webhook renewed: ${host}`,
    mail: ({ host }) =>
      t`The webhook at ${host} has a new secret. Anyone who has it can verify what we send there.`,
  },
} satisfies Record<'added' | 'moved' | 'renewed', ChangeTexts<{ readonly host: string }>>);

/** Sign-ins with a provider of OpenID, by the name of the provider. */
export const IDENTITY_TEXTS = stored('identity', {
  linked: {
    history: ({ name }) => t`Sign-in with ${name} linked`,
    mail: ({ name }) => t`Your account can now be opened with ${quote(name)}.`,
  },
  removed: {
    history: ({ name }) => t`Sign-in with ${name} removed`,
    mail: ({ name }) => t`Your account can no longer be opened with ${quote(name)}.`,
  },
} satisfies Record<'linked' | 'removed', ChangeTexts<{ readonly name: string }>>);

/** The lines of a person's history about their account. */
export const ACCOUNT_HISTORY = stored('accountHistory', {
  joined: () => t`Joined ${{ market: marketName() }}`,
  signedIn: () => t`Signed in`,
  signedInByPasskey: () => t`Signed in with a passkey`,
  signedInWith: ({ name }: { name: string }) => t`Signed in with ${name}`,
  signedInByDefenceLink: () => t`Opened the emailed link for a banned account`,
  profileUpdated: () => t`Profile updated`,
  addressConfirmed: () => t`Email address confirmed`,
  addressChanged: () => t`Email address changed`,
  addressTakenBack: () => t`Email address restored`,
  passwordReset: () => t`Password reset`,
  passwordChanged: () => t`Password changed`,
  export: () => t`Asked for a copy of their data`,
  exportWithCodes: () => t`Asked for a copy of their data with the codes of their coupons`,
  passkeyCopied: ({ name }: { name: string }) => t`Passkey refused, it may have been copied: ${name}`,
  roleChanged: {
    user: () => t`Role changed to user`,
    moderator: () => t`Role changed to moderator`,
    admin: () => t`Role changed to admin`,
  } satisfies Record<UserRole, () => string>,
});

/** Ways to sign in. Days are UTC, such as 2026-11-25. */
export const WAY_IN_TEXTS = stored('wayIn', {
  devices: ({ count }: { count: number }) =>
    plural(count, { one: '# signed-in device', other: '# signed-in devices' }),
  passkey: ({ name, day }: { name: string; day: string }) =>
    t`passkey ${quote(name)} (added ${formatDay(day)})`,
  identity: ({ name, day }: { name: string; day: string }) =>
    t`sign-in with ${quote(name)} (linked ${formatDay(day)})`,
  authenticator: ({ day }: { day: string }) => t`authenticator app (since ${formatDay(day)})`,
  key: ({ name, day }: { name: string; day: string }) =>
    t`key ${quote(name)} for programs (made ${formatDay(day)})`,
  webhook: ({ host, day }: { host: string; day: string }) => t`webhook to ${host} (added ${formatDay(day)})`,
  calendar: ({ day }: { day: string }) => t`calendar address (created ${formatDay(day)})`,
  recoveryCodes: ({ count, day }: { count: number; day: string | null }) =>
    day === null
      ? plural(count, { one: '# recovery code', other: '# recovery codes' })
      : plural(count, {
          one: `# recovery code (created ${formatDay(day)})`,
          other: `# recovery codes (created ${formatDay(day)})`,
        }),
});

interface WaysInFacts {
  /** Of WAY_IN_TEXTS. */
  readonly ended: readonly StoredText[];
  readonly left: readonly StoredText[];
  /** Whether webhooks were switched off, and the address of a calendar has ended. */
  readonly webhooksOff?: boolean;
  readonly calendarOff?: boolean;
}

/** The ways to sign in that a new password has ended, and those it has left, as lines of a mail. */
export const WAYS_IN_TEXTS = stored('waysIn', {
  afterPassword: ({ ended, left, webhooksOff, calendarOff }: WaysInFacts, textOf: TextOf) =>
    [
      ...(ended.length > 0 ? [t`Ended: ${listed(ended.map(textOf))}.`] : []),
      ...(left.length > 0 ? [t`Still on: ${listed(left.map(textOf))}.`] : []),
      ...(webhooksOff
        ? [t`Your webhooks are switched off. Check each address in your settings, then switch it on again.`]
        : []),
      ...(calendarOff
        ? [t`Your calendar no longer shows your coupons. Create a new address for it in your settings.`]
        : []),
    ].join('\n'),
});

/** A device, as far as it is known: 'Firefox on Linux'. */
export const DEVICE_TEXTS = stored('device', {
  named: ({ program, system }: { program: string; system: string }) => t`${program} on ${system}`,
  partly: ({ name }: { name: string }) => name,
  unknown: () => t`Unknown device`,
});

/** '…, on Nov 25, 2026 at 14:05 UTC'. */
export const NEW_BROWSER_TEXTS = stored('newBrowser', {
  signedIn: ({ device, at }: { device: StoredText; at: string }, textOf: TextOf) => {
    const [day, time] = utcDayAndTime(at);
    return t`${textOf(device)}, on ${day} at ${time} UTC`;
  },
});

/** For a banned person who gave a coupon that somebody complains about. */
export const DEFENCE_TEXTS = stored('defence', {
  claimed: () =>
    t`Someone claims that a code you gave them does not work. You can tell us what you know about it.`,
});
