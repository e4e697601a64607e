import { t } from '@lingui/core/macro';
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
      errorTitle={t`Error loading your calendar address`}
      skeleton={<Skeleton height={36} width={160} radius="md" />}
    >
      {({ url }) => (
        <PrivateAddress
          id="calendar-address"
          address={url}
          description={t`Anyone who has it can see what your coupons are called, their merchants and last days, but no codes.`}
          nextStep={t`Add it to your calendar app as a subscription.`}
          afterRenewal={t`Calendars that use it no longer show your coupons until you give them the new one.`}
          afterRemoval={t`Calendars that use it no longer show your coupons.`}
          removed={t`Calendar switched off`}
          renew={() => renew.mutateAsync()}
          remove={() => remove.mutateAsync()}
          isPending={renew.isPending}
        />
      )}
    </QueryContent>
  );
}
