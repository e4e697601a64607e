import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Paper, Stack, Text, TextInput } from '@mantine/core';
import { Link } from 'react-router-dom';
import { PAGES, paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { requestPasswordResetInputSchema } from '#contract/people/accounts.ts';
import { MailDrawing } from '#web/components/drawings.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';

export function Component() {
  return (
    <PageShell
      title={PAGES.forgotPassword.title()}
      text={t`Enter the email address of your account. We will send you a link to set a new password.`}
      size="sm"
    >
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <ForgotPasswordForm />
      </Paper>
    </PageShell>
  );
}

/** Asks for a link to a new password. The answer is the same for every address. */
function ForgotPasswordForm() {
  const request = trpc.accounts.requestPasswordReset.useMutation();
  const { form, submit } = useSendForm({
    schema: requestPasswordResetInputSchema,
    initial: { email: '' },
    mutation: request,
    failed: [t`Link not sent`],
  });
  if (request.isSuccess) {
    return (
      <Stack align="center" ta="center" role="status">
        <MailDrawing />
        <Text>{TEXTS.settings.resetRequested()}</Text>
        <Button variant="default" onClick={() => request.reset()}>
          <Trans>Use another email address</Trans>
        </Button>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t`Email address`}
          type="email"
          autoComplete="email"
          required
          {...form.getInputProps('email')}
        />
        <Button type="submit" size="md" loading={request.isPending}>
          <Trans>Send me a link</Trans>
        </Button>
        <Anchor component={Link} to={paths.auth} underline="always" lh="44px" ta="center">
          <Trans>Back to sign-in</Trans>
        </Anchor>
      </Stack>
    </form>
  );
}
