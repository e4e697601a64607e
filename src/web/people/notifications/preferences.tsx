import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Switch, Table, Text, VisuallyHidden } from '@mantine/core';
import { marketName } from '#contract/base/market.ts';
import type { NotificationPreference, NotificationType } from '#contract/people/notifications.ts';
import { ErrorState } from '#web/components/query-content.tsx';
import { readErrorText } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import classes from './notifications.module.css';
import { useSetPreference } from './queries.ts';
import { WishMailChoice } from './wish-mail-choice.tsx';

/** The kinds of notifications in words. */
const KINDS: Record<NotificationType, { title: string; text: string }> = {
  exchange_request: { title: t`Exchange requests`, text: t`Someone asks for one of your coupons.` },
  exchange_accepted: { title: t`Accepted exchanges`, text: t`Someone accepts an exchange you proposed.` },
  exchange_rejected: { title: t`Rejected exchanges`, text: t`Someone declines an exchange.` },
  exchange_completed: {
    title: t`Completed exchanges`,
    text: t`An exchange is complete and the coupons are yours.`,
  },
  message: { title: t`Messages`, text: t`Someone writes to you about a deal.` },
  want: { title: t`Wish list`, text: t`A coupon on your wish list is listed.` },
  match: { title: t`Matches`, text: t`We find an exchange in which everyone gets what they want.` },
  other: { title: t`Everything else`, text: t`Bids, payments, deadlines and expiring coupons.` },
  weekly: {
    title: t`Your week`,
    text: t`What waits for you, which of your coupons expire soon, and what is new on your wish list.`,
  },
};

const TYPES = Object.keys(KINDS) as readonly NotificationType[];

const WAYS = [
  { way: 'inApp', name: t`On ${{ market: marketName() }}` },
  { way: 'mail', name: t`By email` },
  { way: 'push', name: t`By push` },
] as const satisfies readonly { way: keyof NotificationPreference; name: string }[];

/** Which notifications the viewer wants, and how. Each switch is saved at once. */
export function NotificationPreferences() {
  const { data, error, isFetching, refetch } = trpc.notifications.preferences.useQuery();
  const { change, saved } = useSetPreference();
  if (error && !data) {
    return (
      <ErrorState
        title={t`Error loading your preferences`}
        message={readErrorText(error)}
        onRetry={() => refetch()}
        isRetrying={isFetching}
      />
    );
  }
  return (
    <Table className={classes.table} verticalSpacing="sm" aria-busy={!data}>
      <Table.Caption className={classes.caption}>
        <Trans>We always email you about your account’s safety, such as a new password.</Trans>{' '}
        <Text span inherit role="status" fw={600} c="var(--success-ink)">
          {saved && t({ context: 'settings', message: 'Saved' })}
        </Text>
      </Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">
            <VisuallyHidden>
              <Trans>Type</Trans>
            </VisuallyHidden>
          </Table.Th>
          {WAYS.map(({ way, name }) => (
            <Table.Th key={way} scope="col" className={classes.way}>
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {TYPES.map((type) => (
          <PreferenceRow
            key={type}
            type={type}
            preference={data?.find((each) => each.type === type)}
            onChange={change}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface PreferenceRowProps {
  readonly type: NotificationType;
  /** Undefined while it loads: its words are there before its switches, and nothing moves. */
  readonly preference: NotificationPreference | undefined;
  readonly onChange: (preference: NotificationPreference) => void;
}

function PreferenceRow({ type, preference, onChange }: PreferenceRowProps) {
  const { title, text } = KINDS[type];
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.kind}>
        {title}
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        {type === 'want' && preference?.mail && (
          <WishMailChoice preference={preference} onChange={onChange} />
        )}
      </Table.Th>
      {WAYS.map(({ way, name }) => (
        <Table.Td key={way} className={classes.way}>
          {(way === 'mail' || type !== 'weekly') &&
            (preference ? (
              <Switch
                className={classes.switch}
                size="md"
                aria-label={t`${title}: ${name}`}
                checked={preference[way] ?? true}
                onChange={({ currentTarget }) => onChange({ ...preference, [way]: currentTarget.checked })}
              />
            ) : (
              <Skeleton height={24} width={46} radius="xl" mx="auto" my={10} />
            ))}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
