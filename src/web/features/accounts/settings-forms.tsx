import { Alert, Button, Group, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useDidUpdate } from '@mantine/hooks';
import {
  BIO_MAX,
  changePasswordInputSchema,
  type SessionUser,
  updateProfileInputSchema,
} from '#contract/accounts.ts';
import { COUNTRIES } from '#contract/countries.ts';
import type { PasskeyAssertion } from '#contract/passkeys.ts';
import { TEXTS } from '#contract/texts.ts';
import { PasswordField } from '#web/components/password-field.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { toasts } from '#web/lib/toasts.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import classes from './accounts.module.css';
import { CURRENCY_CHOICES, NewPasswordFields, ProfilePicture } from './fields.tsx';
import { focusFirst, showRefusal } from './form-errors.ts';
import { PasskeyInstead } from './passkey-instead.tsx';
import { useChangePassword, useUpdateProfile } from './queries.ts';

interface FormValues {
  email: string;
  bio: string;
  profileImageUrl: string | null;
  preferredCurrency: SessionUser['preferredCurrency'];
  country: string;
  /** Asked for with a new address. */
  password: string;
}

/** The server asks for the password, where the address is new. */
const fieldsSchema = updateProfileInputSchema.omit({ password: true, passkey: true });

const isSame = (left: string, right: string | null) => left.toLowerCase() === right?.toLowerCase();

/** Edits the viewer's picture, e-mail address, bio, currency and country. */
export function ProfileForm({ user }: { user: SessionUser }) {
  const update = useUpdateProfile();
  const form = useForm<FormValues>({
    initialValues: {
      // The unconfirmed address, if there is one: saving other fields must not cancel the change.
      email: user.pendingEmail ?? user.email,
      bio: user.bio ?? '',
      profileImageUrl: user.profileImageUrl,
      preferredCurrency: user.preferredCurrency,
      country: user.country,
      password: '',
    },
    validate: schemaResolver(fieldsSchema, { sync: true }),
  });
  const address = user.pendingEmail ?? user.email;
  // Follows a change in another window: saving other fields must not request the old address again.
  useDidUpdate(() => form.setFieldValue('email', address), [address]);
  useDidUpdate(() => form.setFieldValue('profileImageUrl', user.profileImageUrl), [user.profileImageUrl]);
  const { email: typed } = form.values;
  const isNewAddress = !isSame(typed, user.email) && !isSame(typed, user.pendingEmail);
  const save = (proof: { password?: string; passkey?: PasskeyAssertion }) =>
    update.mutate(
      { ...fieldsSchema.parse(form.values), ...proof },
      {
        onSuccess: ({ email, pendingEmail }) => {
          form.setFieldValue('password', '');
          toasts.success(
            'Profile saved',
            pendingEmail !== null && pendingEmail !== user.pendingEmail
              ? `We have written to ${pendingEmail}. Until you confirm it there, ${email} counts.`
              : 'What you have changed is in force.',
          );
        },
        onError: (error) => showRefusal(form, TEXTS.profile.updateFailed, error),
      },
    );
  const submit = form.onSubmit(
    ({ password }) => save(isNewAddress ? { password } : {}),
    (errors) => focusFirst(form, errors),
  );

  return (
    <form onSubmit={submit} noValidate aria-label="Profile">
      <Stack>
        <ProfilePicture
          url={form.values.profileImageUrl}
          error={form.errors.profileImageUrl}
          onChange={(url) => form.setFieldValue('profileImageUrl', url)}
        />
        <TextInput
          label="E-mail"
          type="email"
          description="Nobody but you sees it."
          autoComplete="email"
          required
          {...form.getInputProps('email')}
        />
        {user.pendingEmail && (
          <Alert color="yellow" variant="light" role="note">
            We have written to {user.pendingEmail}. Until you confirm it there, {user.email} counts.
          </Alert>
        )}
        {isNewAddress && (
          <>
            <PasswordField
              label="Your password"
              description="We ask for it before your address changes."
              autoComplete="current-password"
              {...form.getInputProps('password')}
            />
            <PasskeyInstead isPending={update.isPending} onGiven={(passkey) => save({ passkey })} />
          </>
        )}
        <div>
          <Textarea
            label="About you"
            description="Optional. Everybody reads it on your page."
            rows={4}
            maxLength={BIO_MAX}
            {...form.getInputProps('bio')}
          />
          <span className={classes.counter}>
            {form.values.bio.length}/{BIO_MAX}
          </span>
        </div>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Preferred currency"
            description="Prices are shown in it; you always pay in CAD."
            data={CURRENCY_CHOICES}
            allowDeselect={false}
            {...form.getInputProps('preferredCurrency')}
          />
          <Select
            label="Country"
            description="Everybody sees it on your page."
            data={[...COUNTRIES]}
            searchable
            allowDeselect={false}
            autoComplete="country-name"
            {...form.getInputProps('country')}
          />
        </SimpleGrid>
        <ActiveOnly>
          <Group>
            <Button type="submit" loading={update.isPending}>
              Save profile
            </Button>
          </Group>
        </ActiveOnly>
      </Stack>
    </form>
  );
}

/** Changes the password; every other browser has to sign in again. */
export function PasswordForm({ username }: { username: string }) {
  const change = useChangePassword();
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '', confirmPassword: '' },
    validate: schemaResolver(changePasswordInputSchema, { sync: true }),
  });
  const submit = form.onSubmit(
    (values) =>
      change.mutate(values, {
        onSuccess: () => {
          form.reset();
          toasts.success('Password changed', 'Everywhere else you are signed out.');
        },
        onError: (error) => showRefusal(form, TEXTS.settings.passwordChangeFailed, error),
      }),
    (errors) => focusFirst(form, errors),
  );
  return (
    <form onSubmit={submit} noValidate aria-label="Password">
      <Stack>
        {/* For password managers, which would not know whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordFields
          value={form.values.newPassword}
          newPassword={form.getInputProps('newPassword')}
          confirmPassword={form.getInputProps('confirmPassword')}
        />
        <ActiveOnly>
          <Group>
            <Button type="submit" variant="default" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </ActiveOnly>
      </Stack>
    </form>
  );
}

/** Deletes the viewer's account, after a confirmation. */
export function DeleteAccount() {
  return (
    <div className={classes.danger}>
      <Stack align="flex-start">
        <Text>
          Your name, your e-mail address and what you wrote about yourself are erased. This cannot be undone.
        </Text>
        <Button
          variant="outline"
          color="red"
          c="var(--mantine-color-error)"
          aria-haspopup="dialog"
          onClick={() => openDialog('deleteAccount')}
        >
          Delete account
        </Button>
      </Stack>
    </div>
  );
}
