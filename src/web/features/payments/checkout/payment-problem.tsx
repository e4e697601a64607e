import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { toasts } from '#web/lib/toasts.ts';

/** How long a checkout that cannot be stays on screen (spec/2 section 9). */
const RETURN_AFTER_MS = 3_000;

/** A bid that cannot be paid: why, and after a moment back to the bids. */
export function PaymentProblem({ text }: { text: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    toasts.failure(TEXTS.checkout.error, text);
    const timer = setTimeout(() => navigate(paths.myBids, { replace: true }), RETURN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, navigate]);
  return (
    <Stack align="center" gap="sm" py={48} ta="center">
      <Title order={2} size="h3">
        {TEXTS.checkout.error}
      </Title>
      <Text>{TEXTS.checkout.setupFailed}</Text>
      <Alert
        color="red"
        role="note"
        maw={520}
        ta="start"
        icon={<IconAlertCircle size={20} aria-hidden="true" />}
      >
        {text}
      </Alert>
      <Button component={Link} to={paths.myBids} replace>
        {TEXTS.checkout.return}
      </Button>
    </Stack>
  );
}
