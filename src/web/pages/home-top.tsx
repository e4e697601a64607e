import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Container, Group, Title } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { WAITING_DEALS } from '#contract/base/first-answers.ts';
import { paths } from '#contract/base/pages.ts';
import { lazyWithPreload } from '#web/components/on-demand.tsx';
import { useMatchCount } from '#web/deals/matches/count-queries.ts';
import { trpc } from '#web/lib/trpc.ts';
import classes from './home-top.module.css';

const HomeRows = lazyWithPreload(async () => (await import('./home-rows.tsx')).HomeRows);

interface HomeTopProps {
  /** The hero of visitors, which members see until their first deal. */
  readonly hero: ReactNode;
  /** Adds a coupon. */
  readonly action: ReactNode;
}

/** The top of Home for members: what waits for them, below the hero as long as they have had no deal. It has its height before the rows are loaded. */
export function HomeTop({ hero, action }: HomeTopProps) {
  const { data } = trpc.deals.list.useQuery(WAITING_DEALS);
  const matches = useMatchCount(true) ?? 0;
  const deals = data?.items.filter(({ stage }) => stage === 'yours') ?? [];
  const drafts = trpc.drafts.count.useQuery().data?.waiting ?? 0;
  const count = deals.length + Math.min(matches, 1) + Math.min(drafts, 1);
  const isNew = data?.items.length === 0;
  return (
    <>
      {isNew && hero}
      {(count > 0 || !isNew) && (
        <Container component="section" aria-labelledby="home-top" size="xl" pt={20}>
          <Group className={classes.head}>
            <Title order={isNew ? 2 : 1} size="h3" id="home-top" lh="44px" mr="auto">
              {count > 0 ? t`Waiting for you` : t`Explore`}
            </Title>
            {!isNew && (
              <>
                <Anchor component={Link} to={paths.deals} lh="44px">
                  <Trans>All deals</Trans>
                </Anchor>
                <Anchor component={Link} to={paths.howItWorks} lh="44px">
                  <Trans>How It Works</Trans>
                </Anchor>
                {action}
              </>
            )}
          </Group>
          {count > 0 && (
            <div className={classes.place} style={{ '--rows': count } as CSSProperties}>
              <HomeRows deals={deals} matches={matches} drafts={drafts} />
            </div>
          )}
        </Container>
      )}
    </>
  );
}
