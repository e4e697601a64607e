import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Anchor, Box, Button, Group, Text, Title, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { DecideCouponsInput, DecidedCoupons, WaitingCoupon } from '#contract/oversight/moderation.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { type ContentQuery, QueryContent } from '#web/components/query-content.tsx';
import { Surface } from '#web/components/surface.tsx';
import { formatDate } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';

/** What a moderator decides about the coupons of one person. */
interface Decision extends DecideCouponsInput {
  readonly username: string;
}

interface WaitingCouponsProps {
  readonly query: ContentQuery<readonly WaitingCoupon[]>;
}

/** The coupons that moderators look at before others see them, by person. Nothing where there are none. */
export function WaitingCoupons({ query }: WaitingCouponsProps) {
  // Here, because a decided card goes before its answer is handled.
  const deciding = trpc.moderation.decideCoupons.useMutation();
  if (query.data?.length === 0) return null;
  const decide = async ({ ids, decision }: Decision) => {
    const decided = await deciding.mutateAsync({ ids, decision });
    toasts.success(t`Decision saved`, decidedText(decided, decision));
  };
  const list = (decision: Decision) =>
    decide(decision).catch((error) => toasts.failed(error, t`Decision not saved`));
  const askToRemove = (decision: Decision) =>
    openDialog('confirm', {
      title: plural(decision.ids.length, {
        one: `Remove # coupon of ${decision.username}?`,
        other: `Remove # coupons of ${decision.username}?`,
      }),
      text: t`This also deletes the codes and pictures, and you cannot undo it. We tell ${decision.username}.`,
      confirmLabel: t`Remove`,
      isDangerous: true,
      act: () => decide(decision),
      failed: [t`Decision not saved`],
    });
  return (
    <Box component="section" aria-labelledby="waiting-coupons" mb={32}>
      <Title order={2} size="h3" id="waiting-coupons" mb={4}>
        <Trans>Coupons to check</Trans>
      </Title>
      <Text mb="sm">
        <Trans>
          So many codes for these merchants were entered in one day that someone may be guessing. Only the
          owners can see these coupons for now. Remove any that look like guesses, such as many coupons from a
          new member or coupons with few details.
        </Trans>
      </Text>
      <QueryContent query={query} errorTitle={t`Failed to fetch coupons`} skeleton={null}>
        {(coupons) => (
          <PlainList gap={16} mb={24}>
            {[...new Set(coupons.map(({ ownerId }) => ownerId))].map((id) => (
              <WaitingOfPerson
                key={id}
                coupons={coupons.filter(({ ownerId }) => ownerId === id)}
                isPending={deciding.isPending}
                onList={list}
                onRemove={askToRemove}
              />
            ))}
          </PlainList>
        )}
      </QueryContent>
    </Box>
  );
}

interface WaitingOfPersonProps {
  readonly coupons: readonly WaitingCoupon[];
  readonly isPending: boolean;
  readonly onList: (decision: Decision) => void;
  readonly onRemove: (decision: Decision) => void;
}

function WaitingOfPerson({ coupons, isPending, onList, onRemove }: WaitingOfPersonProps) {
  const [first] = coupons;
  if (!first) return null;
  const { ownerId, ownerUsername, ownerSince } = first;
  const given = { ids: coupons.map(({ id }) => id), username: ownerUsername };
  return (
    <Surface component="li" gap={16} p={{ base: 16, xs: 20 }}>
      <Group justify="space-between" gap="xs">
        <Title order={3} size="h4">
          <Anchor component={Link} to={paths.user(ownerId)} c="inherit" inherit lh="44px">
            {ownerUsername}
          </Anchor>
        </Title>
        <Text size="sm" c="dimmed">
          <Trans>Member since {formatDate(ownerSince)}</Trans>
        </Text>
      </Group>
      <PlainList gap={8} style={{ overflowWrap: 'anywhere' }}>
        {coupons.map(({ id, title, merchant, description }) => (
          <li key={id}>
            <strong dir="auto">{title}</strong>, {merchant}
            <Text size="sm" c="dimmed" dir="auto">
              {description}
            </Text>
          </li>
        ))}
      </PlainList>
      <Group gap="sm">
        <Button disabled={isPending} onClick={() => onList({ ...given, decision: 'list' })}>
          <Trans>
            List <Plural value={coupons.length} one="# coupon" other="# coupons" />
            <VisuallyHidden> of {ownerUsername}</VisuallyHidden>
          </Trans>
        </Button>
        <Button
          variant="default"
          disabled={isPending}
          onClick={() => onRemove({ ...given, decision: 'remove' })}
        >
          <Trans>
            Remove <Plural value={coupons.length} one="# coupon" other="# coupons" />
            <VisuallyHidden> of {ownerUsername}</VisuallyHidden>
          </Trans>
        </Button>
      </Group>
    </Surface>
  );
}

/** What became of the coupons. */
function decidedText({ listed, removed }: DecidedCoupons, decision: DecideCouponsInput['decision']): string {
  return [
    listed > 0 && plural(listed, { one: '# listed.', other: '# listed.' }),
    removed > 0 &&
      (decision === 'list'
        ? plural(removed, {
            one: '# removed, because the code is already listed.',
            other: '# removed, because the code is already listed.',
          })
        : plural(removed, { one: '# removed.', other: '# removed.' })),
  ]
    .filter(Boolean)
    .join(' ');
}
