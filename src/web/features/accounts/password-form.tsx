import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { changePasswordInputSchema } from '#contract/accounts.ts';
import { TEXTS } from '#contract/texts.ts';
import { fieldErrors, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { NewPasswordFields, showPassword } from './fields.tsx';
import { useChangePassword } from './queries.ts';

/** Changes the password; every other browser has to sign in again. */
export function PasswordForm({ username }: { username: string }) {
  const change = useChangePassword();
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '', confirmPassword: '' },
    validate: schemaResolver(changePasswordInputSchema, { sync: true }),
  });
  const focusFirst = (errors: object) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus();
  const submit = form.onSubmit(
    (values) =>
      change.mutate(values, {
        onSuccess: () => {
          form.reset();
          toasts.success('Password changed', 'Everywhere else you are signed out.');
        },
        onError: (error) => {
          const errors = fieldErrors(error);
          form.setErrors(errors);
          focusFirst(errors);
          toasts.failure(TEXTS.settings.passwordChangeFailed, writeErrorText(error, 'Please try again.'));
        },
      }),
    focusFirst,
  );
  return (
    <form onSubmit={submit} noValidate aria-label="Password">
      <Stack>
        {/* For password managers, which would not know whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={showPassword}
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordFields
          value={form.values.newPassword}
          newPassword={form.getInputProps('newPassword')}
          confirmPassword={form.getInputProps('confirmPassword')}
        />
        <Group>
          <Button type="submit" variant="default" loading={change.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
