import { plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { type MerchantHealth as Health, MERCHANT_HEALTH_DAYS } from '#contract/coupons/health.ts';
import { trpc } from '#web/lib/trpc.ts';
import { HealthLine } from './health-figure.tsx';

/** How likely codes of a merchant are to work, and why; nothing where nothing is known. */
export function MerchantHealth({ name }: { name: string }) {
  const { data } = trpc.health.ofMerchant.useQuery({ name });
  if (data?.health == null) return null;
  return (
    <div>
      <Text fw={600}>
        <Trans>Do codes of this merchant work?</Trans>
      </Text>
      <HealthLine health={data.health} />
      {reasonsOf(data).map((reason) => (
        <Text key={reason} size="sm">
          {reason}
        </Text>
      ))}
    </div>
  );
}

function reasonsOf({ checked, valid, worked, failed }: Health): string[] {
  const people = worked + failed;
  const asked = plural(checked, {
    one: `In the last ${MERCHANT_HEALTH_DAYS} days, the merchant confirmed ${valid} of # code that we asked about.`,
    other: `In the last ${MERCHANT_HEALTH_DAYS} days, the merchant confirmed ${valid} of # codes that we asked about.`,
  });
  const said = plural(people, {
    one: `In the last ${MERCHANT_HEALTH_DAYS} days, codes worked for ${worked} of # person.`,
    other: `In the last ${MERCHANT_HEALTH_DAYS} days, codes worked for ${worked} of # people.`,
  });
  return [...(checked > 0 ? [asked] : []), ...(people > 0 ? [said] : [])];
}
