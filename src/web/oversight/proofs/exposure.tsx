import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { marketName } from '#contract/base/market.ts';
import { paths } from '#contract/base/pages.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { Exposure } from '#contract/oversight/proofs.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { formatDate } from '#web/lib/format.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { EntryList } from './entry-list.tsx';
import classes from './proofs.module.css';
import { peopleText, personName } from './wording.ts';

/** Who has seen the code of a coupon: how many people, and for its owner when, with a signed statement. */
export function CouponExposure({ coupon: { id } }: { coupon: Pick<Coupon, 'id'> }) {
  const { data: exposure } = trpc.proofs.exposure.useQuery({ id });
  if (!exposure) return null;
  const { own } = exposure;
  return (
    <section aria-labelledby="coupon-exposure">
      <Title order={2} size="h4" mb={6} id="coupon-exposure">
        <Trans>Who has seen the code</Trans>
      </Title>
      <Stack gap={8}>
        {own ? <OwnersView own={own} /> : <Text>{peopleText(exposure)}</Text>}
        {exposure.isKnown && (
          <Text fw={600}>
            <Trans>
              The same code was on {ph({ market: marketName() })} before, so someone else may know it.
            </Trans>
          </Text>
        )}
        {own && <Statement id={id} />}
      </Stack>
    </section>
  );
}

/** Everybody who has had the code, a line each, and what happened, folded. */
function OwnersView({ own: { you, length, entries } }: { own: NonNullable<Exposure['own']> }) {
  const first = length - entries.length + 1;
  const people = [...new Set(entries.flatMap(({ person }) => (person === null ? [] : [person])))];
  return (
    <>
      <PlainList gap={4}>
        {people.map((person) => {
          const views = entries.filter((entry) => entry.person === person);
          const who = personName(person, { you, entries });
          const [begin = '', end = ''] = [views[0]?.at, views.at(-1)?.at].map((at) => at && formatDate(at));
          return <li key={person}>{begin === end ? t`${who}: ${begin}` : t`${who}: ${begin} to ${end}`}</li>;
        })}
        <li>
          <Trans>Nobody else, here on {ph({ market: marketName() })}</Trans>
        </li>
      </PlainList>
      <details className={classes.more}>
        <summary>
          <Trans>Show each time</Trans>
        </summary>
        <EntryList entries={entries} you={you} first={first} />
      </details>
    </>
  );
}

/** Gives the owner the statement as a file. */
function Statement({ id }: { id: number }) {
  const issuing = trpc.proofs.issue.useMutation();
  const download = () =>
    issuing.mutate(
      { id },
      {
        onSuccess: ({ statement }) => {
          const url = URL.createObjectURL(new Blob([statement], { type: 'text/plain' }));
          const name = `clipswap-statement-${id}.txt`;
          Object.assign(document.createElement('a'), { href: url, download: name }).click();
          URL.revokeObjectURL(url);
          toasts.success(t`Statement downloaded`);
        },
        onError: (error) => toasts.failed(error, t`Statement not downloaded`),
      },
    );
  return (
    <Group gap="sm">
      <Button variant="default" onClick={download} loading={issuing.isPending}>
        <Trans>Download signed statement</Trans>
      </Button>
      <Anchor component={Link} to={paths.proofs} size="sm" underline="always" className="target">
        <Trans>Check a statement</Trans>
      </Anchor>
    </Group>
  );
}
