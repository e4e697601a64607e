import { Button, Paper, Stack } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { Link, useSearchParams } from 'react-router-dom';
import { resetPasswordInputSchema } from '#contract/accounts.ts';
import { PAGES, paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { MailDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { NewPasswordFields } from '#web/features/accounts/fields.tsx';
import { focusFirst, showRefusal } from '#web/features/accounts/form-errors.ts';
import { useResetPassword } from '#web/features/accounts/queries.ts';
import { writeErrorText } from '#web/lib/errors.ts';

/** Shown for a mailed link that is incomplete or was used before. */
function SpentLink({ text }: { text: string }) {
  return (
    <EmptyState
      title="This link does not work any more"
      text={text}
      drawing={<MailDrawing isBroken />}
      action={
        <Button component={Link} to={paths.forgotPassword}>
          Ask for a new link
        </Button>
      }
    />
  );
}

/** Sets a new password; opened by the link of a "forgot password" mail. */
export function Component() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  return (
    <PageShell title={PAGES.resetPassword.title} size="sm">
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <ResetPasswordForm key={token} token={token} />
      </Paper>
    </PageShell>
  );
}

/** Sets a new password with the mailed token, which works once. */
function ResetPasswordForm({ token }: { token: string }) {
  const reset = useResetPassword();
  const form = useForm({
    initialValues: { token, newPassword: '', confirmPassword: '' },
    validate: schemaResolver(resetPasswordInputSchema, { sync: true }),
  });
  const submit = form.onSubmit(
    (values) =>
      reset.mutate(values, {
        onError: (error) => showRefusal(form, TEXTS.settings.passwordChangeFailed, error),
      }),
    (errors) => focusFirst(form, errors),
  );
  const isValid = resetPasswordInputSchema.shape.token.safeParse(token).success;
  const failure = reset.error && writeErrorText(reset.error, 'Please try again.');
  if (!isValid || failure === TEXTS.settings.linkSpent) return <SpentLink text={TEXTS.settings.linkSpent} />;
  if (reset.isSuccess) {
    return (
      <EmptyState
        title="Your password is changed"
        text="Every device is signed out. Sign in with the new one."
        drawing={<MailDrawing />}
        action={
          <Button component={Link} to={paths.auth}>
            Sign in
          </Button>
        }
      />
    );
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <NewPasswordFields
          value={form.values.newPassword}
          newPassword={form.getInputProps('newPassword')}
          confirmPassword={form.getInputProps('confirmPassword')}
        />
        <Button type="submit" size="md" loading={reset.isPending}>
          Set the new password
        </Button>
      </Stack>
    </form>
  );
}
