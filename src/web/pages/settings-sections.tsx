import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { marketName } from '#contract/base/market.ts';
import { paths } from '#contract/base/pages.ts';
import type { SettingsSection } from '#contract/base/settings-sections.ts';
import { AWAY_GRACE_DAYS } from '#contract/deals/away.ts';
import { type SessionUser, SIGN_INS_KEPT_DAYS } from '#contract/people/accounts.ts';
import type { IdentityProvider } from '#contract/people/identities.ts';
import { CalendarSettings } from '#web/coupons/calendar/calendar-settings.tsx';
import { OfflineCodesSettings } from '#web/coupons/codes/offline-codes-settings.tsx';
import { AwaySettings } from '#web/deals/away/absence.tsx';
import { SavedCards } from '#web/money/payments/card-list.tsx';
import { BlockedPeople } from '#web/oversight/moderation/blocked-people.tsx';
import { DataExport } from '#web/people/accounts/data-export.tsx';
import { DeviceList } from '#web/people/accounts/device-list.tsx';
import { IdentitySettings } from '#web/people/accounts/identity-settings.tsx';
import { KeySettings } from '#web/people/accounts/key-settings.tsx';
import { LanguageSettings } from '#web/people/accounts/language-settings.tsx';
import { PasskeySettings } from '#web/people/accounts/passkey-settings.tsx';
import { SecondFactorAdvice } from '#web/people/accounts/second-factor-advice.tsx';
import { SecondFactorSettings } from '#web/people/accounts/second-factor-settings.tsx';
import { DeleteAccount, PasswordForm, ProfileForm } from '#web/people/accounts/settings-forms.tsx';
import { SignInHistory } from '#web/people/accounts/sign-in-history.tsx';
import { NotificationPreferences } from '#web/people/notifications/preferences.tsx';
import { PushSettings } from '#web/people/push/push-settings.tsx';
import { WebhookSettings } from '#web/people/webhooks/webhook-settings.tsx';

/** A part of the settings: its heading, a line about it, and what stands in it. */
export interface Section {
  readonly title: string;
  readonly text?: ReactNode;
  readonly content: ReactNode;
}

/** Null: a section that is not for this market. */
export type Sections = Readonly<Record<SettingsSection, Section | null>>;

/** What stands in each section of the settings. */
export function sectionsFor(user: SessionUser, provider: IdentityProvider | null): Sections {
  return {
    profile: { title: t`Profile`, content: <ProfileForm key={user.id} user={user} /> },
    password: {
      title: t`Password`,
      text: t`A new password signs you out everywhere else.`,
      content: <PasswordForm username={user.username} />,
    },
    'danger-zone': { title: t`Danger zone`, content: <DeleteAccount /> },
    language: {
      title: t`Language`,
      text: t`For the pages, our emails and our notifications. What people write stays as they wrote it.`,
      content: <LanguageSettings />,
    },
    'second-factor': {
      title: t`Second factor`,
      text: t`A code from your phone, in addition to your password. We ask for it again before you change payouts, delete your account, or view a coupon code in a new browser.`,
      content: (
        <>
          <SecondFactorAdvice />
          <SecondFactorSettings />
        </>
      ),
    },
    passkeys: {
      title: t`Passkeys`,
      text: t`Sign in with your fingerprint, your face or your device’s PIN instead of a password and a code. We email you when one is added or removed.`,
      content: <PasskeySettings />,
    },
    identities: provider
      ? {
          title: t`Sign-in with ${provider.name}`,
          text: t`Sign in with your account at ${provider.name} instead of a password. We still ask for your second factor, and email you when this changes.`,
          content: <IdentitySettings provider={provider} />,
        }
      : null,
    devices: {
      title: t`Signed-in devices`,
      text: t`The devices that are signed in to your account. If you do not recognize one, sign it out and change your password.`,
      content: <DeviceList />,
    },
    'sign-ins': {
      title: t`Sign-in history`,
      text: t`Your latest sign-ins from the last ${SIGN_INS_KEPT_DAYS} days. We email you about each one from a new browser.`,
      content: <SignInHistory />,
    },
    'offline-codes': {
      title: t`Codes on this device`,
      text: t`For tills without a network.`,
      content: <OfflineCodesSettings />,
    },
    notifications: {
      title: t`Notifications`,
      text: t`What we tell you about, and how.`,
      content: <NotificationPreferences />,
    },
    push: {
      title: t`Push notifications`,
      text: t`Find out at once, even while ${{ market: marketName() }} is closed. You choose the kinds under Notifications. Push notifications never show names, prices or codes.`,
      content: <PushSettings />,
    },
    calendar: {
      title: t`Calendar`,
      text: t`Add your coupons’ last days to your calendar.`,
      content: <CalendarSettings />,
    },
    away: {
      title: t`Away`,
      text: t`No one can propose exchanges or bid on your coupons, and you have until ${AWAY_GRACE_DAYS} days after your return to answer open ones. Your profile says when you are back. Bids that you have to pay do not wait.`,
      content: <AwaySettings />,
    },
    blocked: {
      title: t`Blocked people`,
      text: t`They cannot propose exchanges, bid or write to you, and you do not see their coupons in lists. We do not tell them.`,
      content: <BlockedPeople />,
    },
    'payment-methods': {
      title: t`Payment methods`,
      text: (
        <Trans>
          The cards you pay with. To get paid yourself,{' '}
          <Anchor component={Link} to={paths.sellerOnboarding} underline="always">
            set up a seller account
          </Anchor>
          .
        </Trans>
      ),
      content: <SavedCards />,
    },
    keys: {
      title: t`Keys for programs`,
      text: (
        <>
          {t`With a key, a program can do things for you here, such as listing your coupons. We email you about each new key.`}{' '}
          <Anchor component={Link} to={paths.developers} underline="always">
            <Trans>What programs can do</Trans>
          </Anchor>
        </>
      ),
      content: <KeySettings role={user.role} />,
    },
    webhooks: {
      title: t`Webhooks`,
      text: t`For developers: we tell a program of yours at once what happens to your deals. It learns which deal has changed, and never codes, prices or messages.`,
      content: <WebhookSettings />,
    },
    'your-data': {
      title: t`Your data`,
      text: t`A copy of everything we store about you.`,
      content: <DataExport />,
    },
  };
}
