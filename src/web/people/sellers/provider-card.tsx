import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Alert,
  Anchor,
  Button,
  Group,
  List,
  Loader,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { TEXTS } from '#contract/base/texts.ts';
import {
  type PaymentProviderName,
  PROVIDER_NAMES,
  SELLER_BADGE_TEXTS,
  type SellerAccountStatus,
  type SellerBadge,
} from '#contract/people/sellers.ts';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { Surface } from '#web/components/surface.tsx';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import type { SetUp } from './set-up.ts';
import { BADGE_TONES, PROVIDER_TEXTS } from './wording.ts';

interface ProviderCardProps {
  readonly provider: PaymentProviderName;
  readonly status: SellerAccountStatus;
  readonly isFetching: boolean;
  readonly setUp: SetUp;
  /** Whether this card has the primary button of the screen. */
  readonly isPrimary: boolean;
  readonly opensWindow?: boolean;
  /** Warnings of this provider. */
  readonly alerts?: ReactNode;
}

function actLabel(badge: Exclude<SellerBadge, 'active'>, label: string): string {
  return badge === 'setup_required' ? t`Set up ${label}` : t`Continue with ${label}`;
}

/** A payment provider: the account's status, what it offers, and the set-up button. */
export function ProviderCard(props: ProviderCardProps) {
  const { provider, status, isFetching } = props;
  const label = PROVIDER_NAMES[provider];
  return (
    <Surface component="section" p={20} aria-labelledby={`${provider}-title`}>
      <Group justify="space-between" gap="sm" mb="sm">
        <Title order={2} size="h3" id={`${provider}-title`}>
          {label}
        </Title>
        <Group gap="xs">
          {isFetching && <Loader size={16} aria-label={t`Checking ${label}`} />}
          {status.isAvailable && (
            <ToneBadge tone={BADGE_TONES[status.badge]}>{SELLER_BADGE_TEXTS[status.badge]()}</ToneBadge>
          )}
        </Group>
      </Group>
      <Text mb="md">{PROVIDER_TEXTS[provider]}</Text>
      {status.isAvailable ? (
        <Available {...props} label={label} />
      ) : (
        <Alert color="gray" role="note" title={TEXTS.checkout.unavailable()}>
          <Trans>{label} is not set up on this site.</Trans>
        </Alert>
      )}
    </Surface>
  );
}

function Available(props: ProviderCardProps & { readonly label: string }) {
  const { provider, status, label, alerts } = props;
  return (
    <Stack gap="md" align="stretch">
      {status.note && (
        <Alert color="gray" role="note">
          {status.note}
        </Alert>
      )}
      {alerts}
      {status.failedPayout && (
        <Alert color="red" role="note" title={t`Your bank returned a payout`}>
          {status.failedPayout}
        </Alert>
      )}
      {status.isRestricted && (
        <Alert color="yellow" role="note" title={t`Your account may be restricted`}>
          <Trans>
            {label} may be holding payments to you. Sign in to your account there to see what it needs.
          </Trans>
        </Alert>
      )}
      {status.requirements.length > 0 && (
        <div>
          <Text fw={600} id={`${provider}-wants`}>
            <Trans>What {label} still needs</Trans>
          </Text>
          <List aria-labelledby={`${provider}-wants`} mt={4}>
            {status.requirements.map((requirement) => (
              <List.Item key={requirement}>{requirement}</List.Item>
            ))}
          </List>
        </div>
      )}
      {status.badge === 'active' ? (
        <Text fw={600}>
          <Trans>Buyers can pay you through {label}.</Trans>
        </Text>
      ) : (
        <ActiveOnly>
          <SetUpButton {...props} badge={status.badge} />
        </ActiveOnly>
      )}
    </Stack>
  );
}

function SetUpButton(
  props: ProviderCardProps & { readonly label: string; readonly badge: Exclude<SellerBadge, 'active'> },
) {
  const { setUp, label, badge, isPrimary, opensWindow } = props;
  const { start, isPending, blockedUrl } = setUp;
  return (
    <>
      {blockedUrl && (
        <Alert color="yellow" role="alert" title={t`Your browser blocked the window`}>
          <Anchor href={blockedUrl} target="_blank" rel="noopener noreferrer">
            <Trans>
              Open {label} here
              <VisuallyHidden> (in a new window)</VisuallyHidden>
            </Trans>
          </Anchor>
        </Alert>
      )}
      <div>
        <Button
          variant={isPrimary ? 'filled' : 'default'}
          onClick={start}
          // Not `disabled`: the button would lose the focus.
          loading={isPending}
          rightSection={opensWindow && <IconExternalLink size={18} aria-hidden="true" />}
        >
          {actLabel(badge, label)}
          {opensWindow && (
            <VisuallyHidden>
              {' '}
              <Trans>(in a new window)</Trans>
            </VisuallyHidden>
          )}
        </Button>
      </div>
    </>
  );
}
