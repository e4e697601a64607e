import { Button, Loader, Paper, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { verifyEmailInputSchema } from '#contract/accounts.ts';
import { PAGES, paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { MailDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { SendLinkButton } from '#web/features/accounts/email-verification.tsx';
import { useVerifyEmail } from '#web/features/accounts/queries.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { useViewer } from '#web/lib/viewer.tsx';

type Outcome = { readonly email: string } | { readonly problem: string } | null;

/** Sends the token once, however often the page renders, because it works once. @returns null until the answer */
function useOutcome(token: string): Outcome {
  const { mutateAsync } = useVerifyEmail();
  const [outcome, setOutcome] = useState<Outcome>(null);
  const asked = useRef<string | null>(null);
  useEffect(() => {
    if (asked.current === token) return;
    asked.current = token;
    if (!verifyEmailInputSchema.safeParse({ token }).success) {
      setOutcome({ problem: TEXTS.settings.linkSpent });
      return;
    }
    mutateAsync({ token }).then(
      ({ email }) => setOutcome({ email }),
      (error: unknown) => setOutcome({ problem: writeErrorText(error, 'Please try again.') }),
    );
  }, [token, mutateAsync]);
  return outcome;
}

/** Opened by the mailed link that confirms an e-mail address. */
export function Component() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  return (
    <PageShell title={PAGES.verifyEmail.title} size="sm">
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <VerifyEmail key={token} token={token} />
      </Paper>
    </PageShell>
  );
}

/** Confirms an address with the mailed token, and shows the outcome. */
function VerifyEmail({ token }: { token: string }) {
  const { user } = useViewer();
  const outcome = useOutcome(token);
  if (!outcome) {
    return (
      <Stack align="center" py={48} role="status" mih={330} justify="center">
        <Loader />
        <Text>Confirming your address …</Text>
      </Stack>
    );
  }
  if ('email' in outcome) {
    return (
      <div role="status">
        <EmptyState
          title="Your address is confirmed"
          text={`From now on, ${outcome.email} is where we write to you.`}
          drawing={<MailDrawing />}
          action={
            <Button component={Link} to={user ? paths.home : paths.auth}>
              {user ? 'Browse Coupons' : 'Sign in'}
            </Button>
          }
        />
      </div>
    );
  }
  const isSettled = user?.isEmailVerified === true && user.pendingEmail === null;
  return (
    <div role="alert">
      <EmptyState
        title={isSettled ? 'Nothing left to confirm' : 'This link does not work any more'}
        text={isSettled ? `${user.email} is confirmed already.` : outcome.problem}
        drawing={<MailDrawing isBroken={!isSettled} />}
        action={<NextStep />}
      />
    </div>
  );
}

/** After a link that did not work: offers a new one to a signed-in person with an unconfirmed address. */
function NextStep() {
  const { user } = useViewer();
  if (user && (!user.isEmailVerified || user.pendingEmail)) {
    return <SendLinkButton address={user.pendingEmail ?? user.email} size="md" variant="filled" />;
  }
  return (
    <Button component={Link} to={user ? paths.home : paths.authFrom(paths.profile)}>
      {user ? 'Browse Coupons' : 'Sign in'}
    </Button>
  );
}
