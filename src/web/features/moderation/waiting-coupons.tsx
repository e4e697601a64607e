import { Anchor, Button, Group, Text, Title, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { DecideCouponsInput, DecidedCoupons, WaitingCoupon } from '#contract/moderation.ts';
import { paths } from '#contract/pages.ts';
import queue from '#web/components/queue.module.css';
import { formatDate } from '#web/lib/format.ts';
import { toasts } from '#web/lib/toasts.ts';
import classes from './moderation.module.css';
import { useDecideCoupons, useWaitingCoupons } from './queries.ts';

/** The coupons that moderators look at before others see them, by person. Nothing where there are none. */
export function WaitingCoupons() {
  const { data: coupons = [] } = useWaitingCoupons();
  // Here, because a decided card goes before its answer is handled.
  const deciding = useDecideCoupons();
  if (coupons.length === 0) return null;
  const ownerIds = [...new Set(coupons.map(({ ownerId }) => ownerId))];
  const decide = (given: DecideCouponsInput) =>
    deciding.mutate(given, {
      onSuccess: (decided) => toasts.success('Decided', decidedText(decided, given.decision)),
      onError: (error) => toasts.failure('Not decided', error.message),
    });
  return (
    <section aria-labelledby="waiting-coupons" className={classes.waiting}>
      <Title order={2} size="h3" id="waiting-coupons" mb={4}>
        Coupons to look at
      </Title>
      <Text mb="sm">
        So many codes of these merchants came in a day that some may be guesses. Nobody else sees these
        coupons yet. Remove what looks like a guess: many coupons of a new person, or ones that say little.
      </Text>
      <ul className={queue.list}>
        {ownerIds.map((id) => (
          <WaitingOfPerson
            key={id}
            coupons={coupons.filter(({ ownerId }) => ownerId === id)}
            isPending={deciding.isPending}
            onDecide={decide}
          />
        ))}
      </ul>
    </section>
  );
}

interface WaitingOfPersonProps {
  readonly coupons: readonly WaitingCoupon[];
  readonly isPending: boolean;
  readonly onDecide: (given: DecideCouponsInput) => void;
}

function WaitingOfPerson({ coupons, isPending, onDecide }: WaitingOfPersonProps) {
  const [first] = coupons;
  if (!first) return null;
  const { ownerId, ownerUsername, ownerSince } = first;
  const ids = coupons.map(({ id }) => id);
  const what = coupons.length === 1 ? '1 coupon' : `${coupons.length} coupons`;
  const whose = <VisuallyHidden> of {ownerUsername}</VisuallyHidden>;
  return (
    <li className={queue.card}>
      <Group justify="space-between" gap="xs">
        <Title order={3} size="h4">
          <Anchor component={Link} to={paths.user(ownerId)} c="inherit" inherit lh="44px">
            {ownerUsername}
          </Anchor>
        </Title>
        <Text size="sm" c="dimmed">
          Here since {formatDate(ownerSince)}
        </Text>
      </Group>
      <ul className={classes.waitingCoupons}>
        {coupons.map(({ id, title, merchant, description }) => (
          <li key={id}>
            <strong dir="auto">{title}</strong>, {merchant}
            <Text size="sm" c="dimmed" dir="auto">
              {description}
            </Text>
          </li>
        ))}
      </ul>
      <Group gap="sm">
        <Button disabled={isPending} onClick={() => onDecide({ ids, decision: 'list' })}>
          List {what}
          {whose}
        </Button>
        <Button variant="default" disabled={isPending} onClick={() => onDecide({ ids, decision: 'remove' })}>
          Remove {what}
          {whose}
        </Button>
      </Group>
    </li>
  );
}

/** What became of the coupons. */
function decidedText({ listed, removed }: DecidedCoupons, decision: DecideCouponsInput['decision']): string {
  const parts = [];
  if (listed > 0) parts.push(`${listed} listed.`);
  if (removed > 0)
    parts.push(`${removed} removed${decision === 'list' ? ', because the code is listed already' : ''}.`);
  return parts.join(' ');
}
