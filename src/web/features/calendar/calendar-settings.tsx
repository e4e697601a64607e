import { Skeleton } from '@mantine/core';
import { PrivateAddress } from '#web/components/private-address.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { trpc } from '#web/lib/trpc.ts';

/** The private address of the viewer's calendar. */
export function CalendarSettings() {
  const query = trpc.calendar.address.useQuery();
  const renew = trpc.calendar.renewAddress.useMutation();
  const remove = trpc.calendar.removeAddress.useMutation();
  return (
    <QueryContent
      query={query}
      errorTitle="Error loading your calendar address"
      skeleton={<Skeleton height={36} width={160} radius="md" />}
    >
      {({ url }) => (
        <PrivateAddress
          id="calendar-address"
          address={url}
          description="Anyone who has it can see what your coupons are called, their merchants and last days, but no codes."
          nextStep="Add it to your calendar app as a subscription."
          afterRenewal="Calendars that use it no longer show your coupons until you give them the new one."
          afterRemoval="Calendars that use it no longer show your coupons."
          removed="Calendar switched off"
          renew={() => renew.mutateAsync()}
          remove={() => remove.mutateAsync()}
          isPending={renew.isPending}
        />
      )}
    </QueryContent>
  );
}
