import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { z } from 'zod';
import { baseCurrency } from '#contract/base/money.ts';
import { TEXTS } from '#contract/base/texts.ts';
import {
  BIO_MAX,
  changePasswordInputSchema,
  type SessionUser,
  updateProfileInputSchema,
} from '#contract/people/accounts.ts';
import { PasswordField } from '#web/components/password-field.tsx';
import { Surface } from '#web/components/surface.tsx';
import { COUNTRY_CHOICES } from '#web/lib/country-choices.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import { CURRENCY_CHOICES, NewPasswordFields, ProfilePicture } from './fields.tsx';
import { PasskeyInstead } from './passkey-instead.tsx';

/** The server asks for the password or a passkey, where the address is new. */
const formSchema = updateProfileInputSchema.extend({
  password: z.string().transform((text) => text || undefined),
});

const isSame = (left: string, right: string | null) => left.toLowerCase() === right?.toLowerCase();

/** Edits the viewer's picture, e-mail address, bio, currency and country. */
export function ProfileForm({ user }: { user: SessionUser }) {
  const { form, submit, send, isPending } = useSendForm({
    schema: formSchema,
    initial: {
      // The unconfirmed address, if there is one: saving other fields must not cancel the change.
      email: user.pendingEmail ?? user.email,
      bio: user.bio ?? '',
      profileImageUrl: user.profileImageUrl,
      preferredCurrency: user.preferredCurrency,
      country: user.country,
      password: '',
    },
    mutation: trpc.accounts.updateProfile.useMutation(),
    done: ({ email, pendingEmail }) => [
      t`Profile saved`,
      pendingEmail !== null && pendingEmail !== user.pendingEmail
        ? t`We sent a link to ${pendingEmail}. Until you confirm it, we keep using ${email}.`
        : t`Your changes are live.`,
    ],
    onDone: (_user, _input, { setFieldValue }) => setFieldValue('password', ''),
    failed: [TEXTS.profile.updateFailed()],
  });
  const address = user.pendingEmail ?? user.email;
  // Follows a change in another window: saving other fields must not request the old address again.
  useDidUpdate(() => form.setFieldValue('email', address), [address]);
  useDidUpdate(() => form.setFieldValue('profileImageUrl', user.profileImageUrl), [user.profileImageUrl]);
  const { email: typed } = form.values;
  const isNewAddress = !isSame(typed, user.email) && !isSame(typed, user.pendingEmail);

  return (
    <form onSubmit={submit} noValidate aria-label={t`Profile`}>
      <Stack>
        <ProfilePicture
          url={form.values.profileImageUrl}
          error={form.errors.profileImageUrl}
          onChange={(url) => form.setFieldValue('profileImageUrl', url)}
        />
        <TextInput
          label={t`Email address`}
          type="email"
          description={t`Only you can see it.`}
          autoComplete="email"
          required
          {...form.getInputProps('email')}
        />
        {user.pendingEmail && (
          <Alert color="yellow" variant="light" role="note">
            <Trans>
              We sent a link to {user.pendingEmail}. Until you confirm it, we keep using {user.email}.
            </Trans>
          </Alert>
        )}
        {isNewAddress && (
          <>
            <PasswordField
              label={t`Your password`}
              description={t`We need it to change your email address.`}
              autoComplete="current-password"
              {...form.getInputProps('password')}
            />
            <PasskeyInstead
              isPending={isPending}
              onGiven={(passkey) => {
                if (!form.validate().hasErrors) void send({ ...formSchema.parse(form.values), passkey });
              }}
            />
          </>
        )}
        <div>
          <Textarea
            label={t`About you`}
            description={t`Optional. Everyone can read it on your page.`}
            rows={3}
            maxLength={BIO_MAX}
            {...form.getInputProps('bio')}
          />
          <Text c="dimmed" fz="sm" ta="right" className="tabular">
            {form.values.bio.length}/{BIO_MAX}
          </Text>
        </div>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label={t`Preferred currency`}
            description={t`We show prices in this currency. You always pay in ${{ currency: baseCurrency() }}.`}
            data={CURRENCY_CHOICES}
            allowDeselect={false}
            {...form.getInputProps('preferredCurrency')}
          />
          <Select
            label={t`Country`}
            description={t`Everyone can see it on your page.`}
            data={COUNTRY_CHOICES}
            searchable
            allowDeselect={false}
            autoComplete="country-name"
            {...form.getInputProps('country')}
          />
        </SimpleGrid>
        <ActiveOnly>
          <Group>
            <Button type="submit" loading={isPending}>
              <Trans>Save profile</Trans>
            </Button>
          </Group>
        </ActiveOnly>
      </Stack>
    </form>
  );
}

/** Changes the password; every other browser has to sign in again. */
export function PasswordForm({ username }: { username: string }) {
  const { form, submit, send, isPending } = useSendForm({
    schema: changePasswordInputSchema,
    initial: { currentPassword: '', newPassword: '', confirmPassword: '' },
    mutation: trpc.accounts.changePassword.useMutation(),
    done: () => [t`Password changed`, t`You are signed out everywhere else.`],
    onDone: (_done, _input, { reset }) => reset(),
    failed: [TEXTS.settings.passwordChangeFailed()],
  });
  return (
    <form onSubmit={submit} noValidate aria-label={t`Password`}>
      <Stack>
        {/* For password managers, which would not know whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordField
          label={t`Current password`}
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <PasskeyInstead
          isPending={isPending}
          onGiven={(passkey) => {
            const { currentPassword: _, ...given } = form.values;
            const checked = changePasswordInputSchema.safeParse({ ...given, passkey });
            if (checked.success) void send(checked.data);
            else form.validate();
          }}
        />
        <NewPasswordFields
          value={form.values.newPassword}
          newPassword={form.getInputProps('newPassword')}
          confirmPassword={form.getInputProps('confirmPassword')}
        />
        <ActiveOnly>
          <Group>
            <Button type="submit" variant="default" loading={isPending}>
              <Trans>Change password</Trans>
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
    <Surface p={20} style={{ borderColor: 'var(--mantine-color-error)' }}>
      <Stack align="flex-start">
        <Text>
          <Trans>
            This erases your name, your email address and what you wrote about yourself. You cannot undo it.
          </Trans>
        </Text>
        <Button
          variant="outline"
          color="red"
          c="var(--mantine-color-error)"
          aria-haspopup="dialog"
          onClick={() => openDialog('deleteAccount')}
        >
          <Trans>Delete account</Trans>
        </Button>
      </Stack>
    </Surface>
  );
}
