import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput, type TextInputProps, VisuallyHidden } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { IconCheck, IconPoint } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { locale } from '#contract/base/i18n.ts';
import { CURRENCIES } from '#contract/base/money.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { PASSWORD_MIN } from '#contract/people/accounts.ts';
import { PasswordField, RepeatedPassword } from '#web/components/password-field.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { PublicPictureField } from '#web/components/public-picture-field.tsx';
import { EXACT_FIELD } from '#web/lib/keyboards.ts';
import classes from './accounts.module.css';

/** The options of a currency select: 'CAD – Canadian Dollar'. */
export const CURRENCY_CHOICES = CURRENCIES.map((currency) => {
  const name = new Intl.DisplayNames(locale(), { type: 'currency' }).of(currency);
  return { value: currency, label: name ? `${currency} – ${name}` : currency };
});

/** The rules of a new password, shown as met while the user types. The server checks them, too. */
const PASSWORD_RULES: readonly { readonly text: string; readonly isMet: (password: string) => boolean }[] = [
  { text: t`At least ${PASSWORD_MIN} characters`, isMet: (password) => password.length >= PASSWORD_MIN },
  { text: t`A lowercase letter`, isMet: (password) => /[a-z]/.test(password) },
  { text: t`An uppercase letter`, isMet: (password) => /[A-Z]/.test(password) },
  { text: t`A digit`, isMet: (password) => /\d/.test(password) },
];

interface NewPasswordFieldsProps {
  /** What is typed so far. */
  readonly value: string;
  readonly newPassword: GetInputPropsReturnType;
  readonly confirmPassword: GetInputPropsReturnType;
}

/** The new password, its rules, and the repeated password. */
export function NewPasswordFields({ value, newPassword, confirmPassword }: NewPasswordFieldsProps) {
  return (
    <>
      <div>
        <PasswordField label={t`New password`} autoComplete="new-password" {...newPassword} />
        <PlainList className={classes.demands} aria-label={t`A new password needs`}>
          {PASSWORD_RULES.map(({ text, isMet }) => (
            <li key={text} className={classes.demand} data-met={isMet(value) || undefined}>
              {isMet(value) ? (
                <IconCheck size={16} stroke={2.5} aria-hidden="true" />
              ) : (
                <IconPoint size={16} aria-hidden="true" />
              )}
              {text}
              {isMet(value) && (
                <VisuallyHidden>
                  {' '}
                  <Trans>(met)</Trans>
                </VisuallyHidden>
              )}
            </li>
          ))}
        </PlainList>
      </div>
      <RepeatedPassword
        label={t`Confirm new password`}
        autoComplete="new-password"
        password={value}
        differsText={TEXTS.settings.passwordsDiffer()}
        {...confirmPassword}
      />
    </>
  );
}

interface ProfilePictureProps {
  /** The address of the picture, or null. */
  readonly url: string | null;
  readonly error: ReactNode;
  readonly onChange: (url: string | null) => void;
}

/** The person's own picture: chosen, dropped or pasted. */
export function ProfilePicture(props: ProfilePictureProps) {
  return (
    <PublicPictureField
      {...props}
      kind="profile-picture"
      label={t`Profile picture`}
      description={t`Optional. Everyone can see it next to your name.`}
    />
  );
}

/** The field for a code of the authenticator app, or a recovery code. */
export function CodeInput(props: TextInputProps) {
  return (
    <TextInput
      label={t`Code`}
      description={t`The six digits from your authenticator app, or a recovery code.`}
      {...EXACT_FIELD}
      autoComplete="one-time-code"
      required
      {...props}
    />
  );
}
