import { Button, Group, Skeleton, Stack, TextInput } from '@mantine/core';
import { CopyButton } from '#web/components/copy-button.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';

const SECTION_ID = 'calendar-address';

/** The private address of the viewer's calendar: creates, copies, replaces and ends it. */
export function CalendarSettings() {
  const query = trpc.calendar.address.useQuery();
  return (
    <QueryContent
      query={query}
      errorTitle="Error loading your calendar address"
      skeleton={<Skeleton height={36} width={160} radius="md" />}
    >
      {({ url }) => (
        <Stack id={SECTION_ID} tabIndex={-1}>
          {url === null ? <NoAddress /> : <Address url={url} />}
        </Stack>
      )}
    </QueryContent>
  );
}

function NoAddress() {
  const renew = trpc.calendar.renewAddress.useMutation({
    onSuccess: () => toasts.success('Address created', 'Add it to your calendar app.'),
    onError: (error) => toasts.failed(error, 'Address not created'),
  });
  return (
    <Group>
      <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate()}>
        Create address
      </Button>
    </Group>
  );
}

function Address({ url }: { url: string }) {
  const renew = trpc.calendar.renewAddress.useMutation();
  const remove = trpc.calendar.removeAddress.useMutation();
  const focusAfter = [SECTION_ID];
  const askToRenew = () =>
    openDialog(
      'confirm',
      {
        title: 'New address?',
        text: 'The old address stops working. Calendars that use it no longer show your coupons until you give them the new one.',
        confirmLabel: 'New address',
        act: () => renew.mutateAsync(),
        done: ['Address changed', 'Add the new one to your calendar app.'],
        failed: ['Address not changed'],
      },
      { focusAfter },
    );
  const askToSwitchOff = () =>
    openDialog(
      'confirm',
      {
        title: 'Switch off?',
        text: 'The address stops working, and calendars that use it no longer show your coupons.',
        confirmLabel: 'Switch off',
        isDangerous: true,
        act: () => remove.mutateAsync(),
        done: ['Calendar switched off'],
        failed: ['Calendar not switched off'],
      },
      { focusAfter },
    );
  return (
    <>
      <TextInput
        label="Private address"
        description="Anyone who has it can see what your coupons are called, their merchants and last days, but no codes."
        value={url}
        readOnly
      />
      <Group>
        <CopyButton
          text={url}
          variant="default"
          done={['Address copied', 'Add it to your calendar app as a subscription.']}
        >
          Copy address
        </CopyButton>
        <Button variant="default" aria-haspopup="dialog" onClick={askToRenew}>
          New address
        </Button>
        <Button variant="default" aria-haspopup="dialog" onClick={askToSwitchOff}>
          Switch off
        </Button>
      </Group>
    </>
  );
}
