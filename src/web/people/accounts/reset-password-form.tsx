import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { resetPasswordInputSchema } from '#contract/people/accounts.ts';
import { MailDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { writeErrorText } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { NewPasswordFields } from './fields.tsx';

interface ResetPasswordFormProps {
  /** Of the mailed link, which works once. */
  readonly token: string;
  /** What else happens. */
  readonly text: string;
  readonly submitLabel: string;
}

/** Sets a new password with a mailed token, and ends the other ways into the account. */
export function ResetPasswordForm({ token, text, submitLabel }: ResetPasswordFormProps) {
  const reset = trpc.accounts.resetPassword.useMutation();
  const { form, submit } = useSendForm({
    schema: resetPasswordInputSchema,
    initial: { token, newPassword: '', confirmPassword: '' },
    mutation: reset,
    failed: [TEXTS.settings.passwordChangeFailed()],
  });
  const isValid = resetPasswordInputSchema.shape.token.safeParse(token).success;
  const failure = reset.error && writeErrorText(reset.error, t`Please try again.`);
  if (failure === TEXTS.settings.linkDone()) return <Ended title={t`Already done`} text={failure} />;
  if (!isValid || failure === TEXTS.settings.linkSpent()) {
    return (
      <Ended
        title={t`This link no longer works`}
        text={TEXTS.settings.linkSpent()}
        isBroken
        action={{ label: t`Ask for a new link`, to: paths.forgotPassword }}
      />
    );
  }
  if (reset.isSuccess) {
    return (
      <Ended
        title={t`Your password is changed`}
        text={t`We signed you out on every device and removed every passkey. Our email lists what we removed and what is still on. Sign in with your new password.`}
      />
    );
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text>{text}</Text>
        <NewPasswordFields
          value={form.values.newPassword}
          newPassword={form.getInputProps('newPassword')}
          confirmPassword={form.getInputProps('confirmPassword')}
        />
        <Button type="submit" size="md" loading={reset.isPending}>
          {submitLabel}
        </Button>
      </Stack>
    </form>
  );
}

interface EndedProps {
  readonly title: string;
  readonly text: string;
  readonly isBroken?: boolean;
  readonly action?: { readonly label: string; readonly to: string };
}

const SIGN_IN = { label: t`Sign in`, to: paths.auth };

/** What became of the link, and the next step. */
function Ended({ title, text, isBroken = false, action = SIGN_IN }: EndedProps) {
  return (
    <EmptyState
      title={title}
      text={text}
      drawing={<MailDrawing isBroken={isBroken} />}
      action={
        <Button component={Link} to={action.to}>
          {action.label}
        </Button>
      }
    />
  );
}
