import { Alert, Button, Group, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { z } from 'zod';
import {
  BIO_MAX,
  changePasswordInputSchema,
  type SessionUser,
  updateProfileInputSchema,
} from '#contract/accounts.ts';
import { TEXTS } from '#contract/texts.ts';
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
      'Profile saved',
      pendingEmail !== null && pendingEmail !== user.pendingEmail
        ? `We sent a link to ${pendingEmail}. Until you confirm it, we keep using ${email}.`
        : 'Your changes are live.',
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
    <form onSubmit={submit} noValidate aria-label="Profile">
      <Stack>
        <ProfilePicture
          url={form.values.profileImageUrl}
          error={form.errors.profileImageUrl}
          onChange={(url) => form.setFieldValue('profileImageUrl', url)}
        />
        <TextInput
          label="Email address"
          type="email"
          description="Only you can see it."
          autoComplete="email"
          required
          {...form.getInputProps('email')}
        />
        {user.pendingEmail && (
          <Alert color="yellow" variant="light" role="note">
            We sent a link to {user.pendingEmail}. Until you confirm it, we keep using {user.email}.
          </Alert>
        )}
        {isNewAddress && (
          <>
            <PasswordField
              label="Your password"
              description="We need it to change your email address."
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
            label="About you"
            description="Optional. Everyone can read it on your page."
            rows={4}
            maxLength={BIO_MAX}
            {...form.getInputProps('bio')}
          />
          <Text c="dimmed" fz="sm" ta="right" className="tabular">
            {form.values.bio.length}/{BIO_MAX}
          </Text>
        </div>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Preferred currency"
            description="We show prices in this currency. You always pay in CAD."
            data={CURRENCY_CHOICES}
            allowDeselect={false}
            {...form.getInputProps('preferredCurrency')}
          />
          <Select
            label="Country"
            description="Everyone can see it on your page."
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
  const { form, submit, send, isPending } = useSendForm({
    schema: changePasswordInputSchema,
    initial: { currentPassword: '', newPassword: '', confirmPassword: '' },
    mutation: trpc.accounts.changePassword.useMutation(),
    done: () => ['Password changed', 'You are signed out everywhere else.'],
    onDone: (_done, _input, { reset }) => reset(),
    failed: [TEXTS.settings.passwordChangeFailed()],
  });
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
    <Surface p={20} style={{ borderColor: 'var(--mantine-color-error)' }}>
      <Stack align="flex-start">
        <Text>
          This erases your name, your email address and what you wrote about yourself. You cannot undo it.
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
    </Surface>
  );
}
