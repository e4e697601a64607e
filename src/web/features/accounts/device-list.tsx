import { Button, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import type { DeviceSession } from '#contract/accounts.ts';
import { ConfirmDialog } from '#web/components/dialog.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import rows from '#web/components/rows.module.css';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import classes from './accounts.module.css';
import { useDeviceSessions, useEndOtherSessions, useEndSession } from './queries.ts';

const LIST_ID = 'devices-list';

/** The viewer's signed-in devices, each with a button that signs it out. */
export function DeviceList() {
  const query = useDeviceSessions();
  const confirming = useDialog<null>();
  return (
    <QueryContent query={query} errorTitle="Error loading your devices" skeleton={<DeviceListSkeleton />}>
      {(sessions) => (
        <Stack>
          <ul id={LIST_ID} tabIndex={-1} className={rows.list} aria-label="Signed-in devices">
            {sessions.map((session) => (
              <Device key={session.id} session={session} />
            ))}
          </ul>
          {sessions.some(({ isCurrent }) => !isCurrent) && (
            <Group>
              <Button variant="default" aria-haspopup="dialog" onClick={() => confirming.open(null)}>
                Sign out elsewhere
              </Button>
            </Group>
          )}
          <SignOutElsewhere opened={confirming.opened} onClose={confirming.close} />
        </Stack>
      )}
    </QueryContent>
  );
}

function Device({ session }: { session: DeviceSession }) {
  const end = useEndSession();
  const Icon = /android|iphone|ios|mobile/i.test(session.device) ? IconDeviceMobile : IconDeviceDesktop;
  const signOut = () =>
    end.mutate(
      { id: session.id },
      {
        onSuccess: () => {
          toasts.success('Signed out', `${session.device} has to sign in again.`);
          rescueFocus([LIST_ID]);
        },
        onError: (error) => toasts.failure('Not signed out', writeErrorText(error, 'Please try again.')),
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
          {session.isCurrent && <ToneBadge tone="success">This device</ToneBadge>}
        </Group>
        <Text size="sm" c="dimmed" className="tabular">
          {session.isCurrent ? 'Here now' : `Last seen ${formatDateTime(session.lastSeenAt)}`} · signed in{' '}
          {formatDate(session.createdAt)}
        </Text>
      </div>
      {!session.isCurrent && (
        <Button size="compact-md" variant="default" loading={end.isPending} onClick={signOut}>
          Sign out<VisuallyHidden> {session.device}</VisuallyHidden>
        </Button>
      )}
    </li>
  );
}

function SignOutElsewhere({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const end = useEndOtherSessions();
  const confirm = () =>
    end.mutate(
      undefined,
      dialogAnswers({
        onClose,
        done: () => ['Signed out elsewhere', 'You are signed in here alone.'],
        failedTitle: 'Not signed out',
      }),
    );
  return (
    <ConfirmDialog
      opened={opened}
      fallbackFocusId={LIST_ID}
      title="Sign out elsewhere?"
      confirmLabel="Sign out elsewhere"
      pendingLabel="Signing out …"
      isPending={end.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      Every other browser has to sign in again. You stay signed in here.
    </ConfirmDialog>
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
