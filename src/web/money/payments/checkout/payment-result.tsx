import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Loader, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck, IconWifiOff, IconX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { usePageTitle } from '#web/components/page-shell.tsx';
import { JUST_BOUGHT, WHAT_NOW } from '../just-bought.tsx';
import type { PaymentOutcome } from './payment-outcome.ts';

/** The page goes on to the coupons after this time (spec/2 section 9). */
const ON_TO_COUPONS_AFTER_MS = 1_500;

const CHECKING = t`Checking your payment`;
const { successful, failed, failedText, failedHint } = TEXTS.paymentResult;

/** The states of a payment's result. */
export function PaymentResult({ outcome, bidId }: { outcome: PaymentOutcome; bidId: number | null }) {
  const title = { loading: CHECKING, offline: CHECKING, success: successful(), failed: failed() }[
    outcome.kind
  ];
  usePageTitle(title);
  useOnToCoupons(outcome.kind === 'success');
  return (
    <Stack align="center" gap="md" ta="center" mih={360} justify="center" role="status">
      <Mark kind={outcome.kind} />
      <Title order={1} size="h2">
        {title}
      </Title>
      {outcome.kind === 'loading' && (
        <Text c="dimmed">
          <Trans>This takes a moment. Please do not pay again.</Trans>
        </Text>
      )}
      {outcome.kind === 'offline' && (
        <Text c="dimmed">
          <Trans>You are offline. We check it when you are back online. Please do not pay again.</Trans>
        </Text>
      )}
      {outcome.kind === 'success' && <Success text={outcome.text} />}
      {outcome.kind === 'failed' && <Failed {...outcome} bidId={bidId} />}
    </Stack>
  );
}

function useOnToCoupons(isPaid: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isPaid) return;
    const timer = setTimeout(
      () => navigate(paths.myCoupons, { replace: true, state: JUST_BOUGHT }),
      ON_TO_COUPONS_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [isPaid, navigate]);
}

function Mark({ kind }: { kind: PaymentOutcome['kind'] }) {
  if (kind === 'loading') return <Loader size={56} aria-hidden="true" />;
  if (kind === 'offline') return <IconWifiOff size={56} aria-hidden="true" />;
  const isPaid = kind === 'success';
  const Icon = isPaid ? IconCheck : IconX;
  return (
    <ThemeIcon size={56} radius="xl" color={isPaid ? 'green' : 'red'} aria-hidden="true">
      <Icon size={32} stroke={2.5} />
    </ThemeIcon>
  );
}

function Success({ text }: { text: string }) {
  return (
    <>
      <Text>{text}</Text>
      <Text c="dimmed" maw={440}>
        {WHAT_NOW}
      </Text>
      <Button component={Link} to={paths.myCoupons} replace state={JUST_BOUGHT}>
        <Trans>Go to My Coupons</Trans>
      </Button>
    </>
  );
}

interface FailedProps {
  readonly text: string;
  readonly isUncharged: boolean;
  readonly bidId: number | null;
}

function Failed({ text, isUncharged, bidId }: FailedProps) {
  return (
    <>
      <Text>{failedText()}</Text>
      <Text fw={600}>{text}</Text>
      <Text c="dimmed" maw={440}>
        {isUncharged ? failedHint() : t`Please look at your bids before you pay again.`}
      </Text>
      <Group justify="center">
        {isUncharged && bidId !== null && (
          <Button component={Link} to={paths.checkout(bidId)} replace>
            <Trans>Try again</Trans>
          </Button>
        )}
        <Button component={Link} to={paths.myBids} replace variant="default">
          {TEXTS.checkout.return()}
        </Button>
      </Group>
    </>
  );
}
