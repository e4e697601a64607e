import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Text, Title } from '@mantine/core';
import { DRAFT_DAYS } from '#contract/coupons/drafts.ts';
import { PrivateAddress } from '#web/components/private-address.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { Surface } from '#web/components/surface.tsx';
import { trpc } from '#web/lib/trpc.ts';

/** The private email address to which the viewer forwards vouchers. */
export function MailAddress() {
  const query = trpc.drafts.address.useQuery();
  const renew = trpc.drafts.renewAddress.useMutation();
  const remove = trpc.drafts.removeAddress.useMutation();
  return (
    <Surface component="section" gap={12} aria-labelledby="forward-vouchers">
      <Title order={2} size="h4" id="forward-vouchers">
        <Trans>Forward vouchers by email</Trans>
      </Title>
      <Text size="sm">
        <Trans>
          Send vouchers to an address of your own. We read their pictures, PDFs, wallet passes and tables, or
          else their text, and they wait here for {DRAFT_DAYS} days. We list nothing until you press the
          button.
        </Trans>
      </Text>
      <QueryContent
        query={query}
        errorTitle={t`Error loading your email address for vouchers`}
        skeleton={<Skeleton height={36} width={160} radius="md" />}
      >
        {({ address }) => (
          <PrivateAddress
            id="mail-address"
            address={address}
            description={t`Anyone who has it can send you coupons to look over, but sees nothing of yours.`}
            nextStep={t`Forward a voucher to it. It appears here within a minute.`}
            afterRenewal={t`Vouchers sent to it no longer reach you. Use the new one from now on.`}
            afterRemoval={t`Vouchers sent to it no longer reach you. Coupons that wait here stay.`}
            removed={t`Address switched off`}
            renew={() => renew.mutateAsync()}
            remove={() => remove.mutateAsync()}
            isPending={renew.isPending}
          />
        )}
      </QueryContent>
    </Surface>
  );
}
