import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { Want } from '#contract/coupons/wants.ts';
import { CouponTicket, CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { SearchDrawing } from '#web/components/drawing.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { filtersOf, findsText, givesText, searchPath, titleOf } from './wording.ts';

interface WantListProps {
  /** What follows what a wish would give: whether it is fulfilled without asking. */
  readonly renderConsent: (want: Want) => ReactNode;
  /** Whether what that shows is still loading: the list waits for it. */
  readonly isWaiting: boolean;
}

/** What the viewer looks for, each with what was found. */
export function WantList({ renderConsent, isWaiting }: WantListProps) {
  const { data, ...rest } = trpc.wants.list.useQuery();
  const query = { ...rest, data: isWaiting ? undefined : data };
  return (
    // Takes the focus when a want has been deleted.
    <div tabIndex={-1}>
      <QueryContent
        query={query}
        errorTitle={t`Error loading your wish list`}
        skeleton={<Skeleton height={140} radius="lg" />}
      >
        {(wants) =>
          wants.length === 0 ? (
            <NoWants />
          ) : (
            <PlainList gap={16}>
              {wants.map((want) => (
                <li key={want.id}>
                  <WantCard want={want} consent={renderConsent(want)} />
                </li>
              ))}
            </PlainList>
          )
        }
      </QueryContent>
    </div>
  );
}

function WantCard({ want, consent }: { want: Want; consent: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const look = trpc.wants.look.useMutation();
  const pause = trpc.wants.pause.useMutation();
  const remove = trpc.wants.remove.useMutation();
  const title = titleOf(want);
  const show = () => {
    if (!isOpen && want.fresh > 0) look.mutate({ id: want.id });
    setIsOpen(!isOpen);
  };
  const edit = () => openDialog('want', { filters: filtersOf(want), want });
  const askToRemove = () =>
    openDialog('confirm', {
      title: t`Delete this wish?`,
      text: t`We will no longer alert you to ${title}. To stop alerts for a while, pause the wish instead.`,
      confirmLabel: t`Delete`,
      pendingLabel: t`Deleting…`,
      cancelLabel: t`Keep wish`,
      isDangerous: true,
      act: () => remove.mutateAsync({ id: want.id }),
      done: [t`Wish deleted`, t`You will get no more alerts for it.`],
      failed: [t`Wish not deleted`],
    });
  const setPaused = () =>
    pause.mutate(
      { id: want.id, isPaused: !want.isPaused },
      { onError: (error) => toasts.failed(error, t`Wish not changed`) },
    );
  return (
    <Paper component="article" radius="lg" p="md" withBorder aria-label={title}>
      <Group gap="xs" justify="space-between" align="flex-start">
        <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {want.isPaused ? (
          <ToneBadge tone="neutral">
            <Trans>Paused</Trans>
          </ToneBadge>
        ) : (
          want.fresh > 0 && (
            <ToneBadge tone="success">
              <Plural value={want.fresh} one="# new" other="# new" />
            </ToneBadge>
          )
        )}
      </Group>
      <Text mt={4}>{findsText(want)}</Text>
      <Text size="sm" c="dimmed">
        {givesText(want)}
      </Text>
      {consent}
      <Group gap="xs" mt="sm">
        {want.found > 0 && (
          <Button size="compact-md" aria-expanded={isOpen} onClick={show}>
            {isOpen ? (
              <Trans>
                Hide results<VisuallyHidden>: {title}</VisuallyHidden>
              </Trans>
            ) : (
              <Trans>
                Show results<VisuallyHidden>: {title}</VisuallyHidden>
              </Trans>
            )}
          </Button>
        )}
        <Button size="compact-md" variant="default" component={Link} to={searchPath(want)}>
          <Trans>
            Search<VisuallyHidden>: {title}</VisuallyHidden>
          </Trans>
        </Button>
        <Button size="compact-md" variant="default" aria-haspopup="dialog" onClick={edit}>
          <Trans>
            Edit<VisuallyHidden>: {title}</VisuallyHidden>
          </Trans>
        </Button>
        <Button size="compact-md" variant="default" loading={pause.isPending} onClick={setPaused}>
          {want.isPaused ? (
            <Trans>
              Resume<VisuallyHidden>: {title}</VisuallyHidden>
            </Trans>
          ) : (
            <Trans>
              Pause<VisuallyHidden>: {title}</VisuallyHidden>
            </Trans>
          )}
        </Button>
        <Button size="compact-md" variant="default" aria-haspopup="dialog" onClick={askToRemove}>
          <Trans>
            Delete<VisuallyHidden>: {title}</VisuallyHidden>
          </Trans>
        </Button>
      </Group>
      {isOpen && <Finds id={want.id} />}
    </Paper>
  );
}

function Finds({ id }: { id: number }) {
  const query = trpc.wants.found.useQuery({ id });
  return (
    <Stack mt="md" gap="sm">
      <QueryContent
        query={query}
        errorTitle={t`Error loading the results`}
        skeleton={<CouponTicketSkeleton size="small" />}
      >
        {(coupons) =>
          coupons.length === 0 ? (
            <Text c="dimmed">
              <Trans>These coupons are no longer available.</Trans>
            </Text>
          ) : (
            coupons.map((coupon) => (
              <CouponTicket key={coupon.id} coupon={coupon} size="small" titleOrder={3} isLinked />
            ))
          )
        }
      </QueryContent>
    </Stack>
  );
}

function NoWants() {
  return (
    <EmptyState
      title={t`Your wish list is empty`}
      text={t`Search for a coupon, then press “Alert me”. We tell you when a matching coupon is listed.`}
      drawing={<SearchDrawing />}
      action={
        <Button component={Link} to={paths.home}>
          <Trans>Search coupons</Trans>
        </Button>
      }
    />
  );
}
