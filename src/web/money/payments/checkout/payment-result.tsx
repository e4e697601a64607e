import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Loader, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck, IconWifiOff, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { usePageTitle } from '#web/components/page-shell.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { justBought, WHAT_NOW } from '../just-bought.tsx';
import type { PaymentOutcome } from './payment-outcome.ts';

/** The page goes on to the coupons after this time (spec/2 section 9). */
const ON_TO_COUPONS_AFTER_MS = 1_500;

const CHECKING = t`Checking your payment`;
const { successful, failed, failedText, failedHint } = TEXTS.paymentResult;

interface PaymentResultProps {
  readonly outcome: PaymentOutcome;
  readonly bidId: number | null;
  /** As of `useBought`. */
  readonly bought: Coupon | null;
}

/** The states of a payment's result. */
export function PaymentResult({ outcome, bidId, bought }: PaymentResultProps) {
  const title = { loading: CHECKING, offline: CHECKING, success: successful(), failed: failed() }[
    outcome.kind
  ];
  usePageTitle(title);
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
      {outcome.kind === 'success' && <Success text={outcome.text} bidId={bidId} bought={bought} />}
      {outcome.kind === 'failed' && <Failed {...outcome} bidId={bidId} />}
    </Stack>
  );
}

/** Goes on to the coupons, but not from under the code that is being shown. */
function useOnToCoupons(bidId: number | null, isHeld: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(
      () => navigate(paths.myCoupons, { replace: true, state: justBought(bidId) }),
      ON_TO_COUPONS_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [isHeld, navigate, bidId]);
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

function Success({ text, bidId, bought }: Omit<PaymentResultProps, 'outcome'> & { text: string }) {
  const [isShown, setIsShown] = useState(false);
  useOnToCoupons(bidId, isShown);
  const show = async (coupon: Coupon) => {
    setIsShown(true);
    await openDialog('redeem', { coupon });
    setIsShown(false);
  };
  return (
    <>
      <Text>{text}</Text>
      <Text c="dimmed" maw={440}>
        {WHAT_NOW}
      </Text>
      {bought ? (
        <Button onClick={() => void show(bought)}>
          <Trans>Show code</Trans>
        </Button>
      ) : (
        <Button component={Link} to={paths.myCoupons} replace state={justBought(bidId)}>
          <Trans>Go to My Coupons</Trans>
        </Button>
      )}
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
