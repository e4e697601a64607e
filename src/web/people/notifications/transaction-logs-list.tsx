import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { defineAddress, oneOf } from '#contract/base/address.ts';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { LogAction, LogKind, TransactionLog } from '#contract/people/notifications.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { StatusBadge, type Tone, ToneBadge } from '#web/components/status-badge.tsx';
import { Surface } from '#web/components/surface.tsx';
import { useAddress } from '#web/lib/address.ts';
import { readErrorText } from '#web/lib/errors.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { KEEP_PAGE, usePagedList } from '#web/lib/paged-list.ts';
import { trpc } from '#web/lib/trpc.ts';
import classes from './notifications.module.css';

const ACTION_NAMES: Record<LogAction, string> = {
  created: t({ context: 'event', message: 'Created' }),
  accepted: t({ context: 'event', message: 'Accepted' }),
  completed: t({ context: 'event', message: 'Completed' }),
  rejected: t({ context: 'event', message: 'Rejected' }),
  cancelled: t({ context: 'event', message: 'Cancelled' }),
  verified: t({ context: 'event', message: 'Verified' }),
  expired: t({ context: 'event', message: 'Expired' }),
  updated: t({ context: 'event', message: 'Updated' }),
  payment: t`Payment`,
  refund: t`Refund`,
  signup: t`Signup`,
  login: t({ context: 'event', message: 'Login' }),
  profile: t`Profile`,
};

const TONES: Partial<Record<LogAction, Tone>> = {
  accepted: 'info',
  completed: 'success',
  verified: 'success',
  payment: 'success',
  rejected: 'danger',
  expired: 'danger',
};

/** The date of a log line, or a text where it is missing or invalid (spec/2 section 2). */
export function logDate(instant: string | null): string {
  if (!instant) return TEXTS.transactionLogs.noDate();
  return Number.isNaN(Date.parse(instant)) ? TEXTS.transactionLogs.invalidDate() : formatDateTime(instant);
}

function LogCard({ log }: { log: TransactionLog }) {
  return (
    <Surface bdrs="md" className={classes.card}>
      <Group justify="space-between" gap="xs" mb={6}>
        <ToneBadge tone={TONES[log.action] ?? 'neutral'}>{ACTION_NAMES[log.action]}</ToneBadge>
        <Text size="sm" c="dimmed">
          {logDate(log.createdAt)}
        </Text>
      </Group>
      <Text>{log.details}</Text>
      {log.exchange && log.exchangeId && (
        <Group gap="xs" mt="xs">
          <StatusBadge dealType="exchange" status={log.exchange.status} />
          <Button size="compact-md" variant="default" component={Link} to={paths.exchange(log.exchangeId)}>
            <Trans>See the exchange</Trans>
          </Button>
        </Group>
      )}
      {log.bid && log.bidId && (
        <Group gap="xs" mt="xs">
          <StatusBadge dealType="bid" status={log.bid.status} />
          <Button size="compact-md" variant="default" component={Link} to={paths.bid(log.bidId)}>
            <Trans>See the bid</Trans>
          </Button>
        </Group>
      )}
    </Surface>
  );
}

const KIND_NAMES: Record<LogKind, string> = {
  deals: t`Deals`,
  account: t`Sign-ins and profile`,
  all: t`All`,
};
const KINDS: readonly LogKind[] = ['deals', 'account', 'all'];
const ADDRESS = defineAddress({ kind: oneOf(KINDS) });

/** The viewer's own history, newest first: the deals, unless they ask for more. */
export function TransactionLogsList() {
  const { input, paging } = usePagedList(PAGE_SIZES.notifications);
  const [{ kind }, change] = useAddress(ADDRESS);
  const query = trpc.notifications.transactionLogs.useQuery({ kind, ...input }, KEEP_PAGE);
  return (
    <PagedList
      head={
        <SegmentedControl
          mb="md"
          aria-label={t`What the history shows`}
          data={KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))}
          value={kind}
          onChange={(value) => change({ kind: KINDS.find((known) => known === value) })}
        />
      }
      query={query}
      {...paging}
      label={t`History`}
      gap="sm"
      errorTitle={TEXTS.transactionLogs.loadFailed()}
      errorText={readErrorText(query.error, TEXTS.transactionLogs.loadFailedText())}
      skeleton={
        <Stack gap="sm">
          <Repeat count={5}>
            <Surface bdrs="md">
              <Skeleton height={22} width={90} radius="xl" mb={10} />
              <Skeleton height={18} width="75%" />
            </Surface>
          </Repeat>
        </Stack>
      }
      empty={
        <EmptyState
          title={TEXTS.transactionLogs.noneFound()}
          text={TEXTS.transactionLogs.noneFoundHint()}
          action={
            <Button component={Link} to={paths.home}>
              <Trans>Browse Coupons</Trans>
            </Button>
          }
        />
      }
    >
      {(logs) => (
        <Stack gap="sm">
          {logs.map((log) => (
            <LogCard key={log.id} log={log} />
          ))}
        </Stack>
      )}
    </PagedList>
  );
}
