import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Box, Container, Group, Title } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { WAITING_DEALS } from '#contract/first-answers.ts';
import { paths } from '#contract/pages.ts';
import { onDemand, useOnDemand } from '#web/components/on-demand.tsx';
import { useMatchCount } from '#web/features/matches/count-queries.ts';
import { trpc } from '#web/lib/trpc.ts';
import classes from './home-top.module.css';

const rowsOnDemand = onDemand(async () => (await import('./home-rows.tsx')).HomeRows);

/** The top of Home for members: what waits for them. It has its height before the rows are loaded. */
export function HomeTop({ action }: { action: ReactNode }) {
  const { data } = trpc.deals.list.useQuery(WAITING_DEALS);
  const matches = useMatchCount(true) ?? 0;
  const deals = data?.items.filter(({ stage }) => stage === 'yours') ?? [];
  const drafts = trpc.drafts.count.useQuery().data?.waiting ?? 0;
  const count = deals.length + Math.min(matches, 1) + Math.min(drafts, 1);
  const Rows = useOnDemand(rowsOnDemand, count > 0);
  return (
    <Container component="section" aria-labelledby="home-top" size="xl" pt={20}>
      <Group justify="space-between" gap="sm">
        <Title order={1} size="h3" id="home-top">
          {count > 0 ? t`Waiting for you` : t`Explore`}
        </Title>
        <Group gap="lg">
          <Anchor component={Link} to={paths.deals} lh="44px">
            <Trans>All deals</Trans>
          </Anchor>
          <Box visibleFrom="sm">{action}</Box>
        </Group>
      </Group>
      {count > 0 && (
        <div className={classes.place} style={{ '--rows': count } as CSSProperties}>
          {Rows && <Rows deals={deals} matches={matches} drafts={drafts} />}
        </div>
      )}
    </Container>
  );
}
