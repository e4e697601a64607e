import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import type { DeviceSession } from '#contract/people/accounts.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import rows from '#web/components/rows.module.css';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import classes from './accounts.module.css';

const LIST_ID = 'devices-list';

/** The viewer's signed-in devices, each with a button that signs it out. */
export function DeviceList() {
  const query = trpc.accounts.sessions.useQuery();
  const endOthers = trpc.accounts.endOtherSessions.useMutation();
  const askToSignOut = () =>
    openDialog(
      'confirm',
      {
        title: t`Sign out everywhere else?`,
        text: t`You will have to sign in again in every other browser. You stay signed in here.`,
        confirmLabel: t`Sign out everywhere else`,
        pendingLabel: t`Signing out…`,
        act: () => endOthers.mutateAsync(),
        done: [t`Signed out everywhere else`, t`You are now signed in only here.`],
        failed: [t`Not signed out`],
      },
      { focusAfter: [LIST_ID] },
    );
  return (
    <QueryContent query={query} errorTitle={t`Error loading your devices`} skeleton={<DeviceListSkeleton />}>
      {(sessions) => (
        <Stack>
          <PlainList id={LIST_ID} tabIndex={-1} className={rows.list} aria-label={t`Signed-in devices`}>
            {sessions.map((session) => (
              <Device key={session.id} session={session} />
            ))}
          </PlainList>
          {sessions.some(({ isCurrent }) => !isCurrent) && (
            <Group>
              <Button variant="default" aria-haspopup="dialog" onClick={askToSignOut}>
                <Trans>Sign out everywhere else</Trans>
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </QueryContent>
  );
}

function Device({ session }: { session: DeviceSession }) {
  const end = trpc.accounts.endSession.useMutation();
  const Icon = /android|iphone|ios|mobile/i.test(session.device) ? IconDeviceMobile : IconDeviceDesktop;
  const signOut = () =>
    end.mutate(
      { id: session.id },
      {
        onSuccess: () => {
          toasts.success(t`Signed out`, t`${session.device} has to sign in again.`);
          rescueFocus([LIST_ID]);
        },
        onError: (error) => toasts.failed(error, t`Not signed out`),
      },
    );
  return (
    <li className={classes.device}>
      <span className={classes.sign} aria-hidden="true">
        <Icon size={20} />
      </span>
      <div className={classes.words}>
        <Group gap="xs">
          <Text fw={600}>{session.device}</Text>
          {session.isCurrent && (
            <ToneBadge tone="success">
              <Trans>This device</Trans>
            </ToneBadge>
          )}
        </Group>
        <Text size="sm" c="dimmed" className="tabular">
          {session.isCurrent
            ? t`Active now · signed in ${formatDate(session.createdAt)}`
            : t`Last seen ${formatDateTime(session.lastSeenAt)} · signed in ${formatDate(session.createdAt)}`}
        </Text>
      </div>
      {!session.isCurrent && (
        <Button size="compact-md" variant="default" loading={end.isPending} onClick={signOut}>
          <Trans>
            Sign out<VisuallyHidden> {session.device}</VisuallyHidden>
          </Trans>
        </Button>
      )}
    </li>
  );
}

function DeviceListSkeleton() {
  return (
    <div className={rows.list}>
      <div className={classes.device}>
        <Skeleton height={40} width={40} circle />
        <div>
          <Skeleton height={16} width={160} mb={10} />
          <Skeleton height={12} width={220} />
        </div>
      </div>
    </div>
  );
}
