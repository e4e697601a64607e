import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import type { CSSProperties } from 'react';
import { RATING_MAX } from '#contract/base/bounds.ts';
import { countedPeople, POINTS, type Scores } from '#contract/oversight/leaderboard.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { Surface } from '#web/components/surface.tsx';
import { scoreText } from '#web/lib/format.ts';
import classes from './profile.module.css';
import { useStatsOrZeros } from './stats.tsx';

const PARTS: readonly {
  readonly key: Exclude<keyof Scores, 'overall'>;
  readonly name: string;
  readonly color: string;
  readonly hint: string;
}[] = [
  {
    key: 'coupons',
    name: t`Coupons`,
    color: '#1f6a46',
    hint: t`${POINTS.verifiedCoupon} for each listed coupon that was verified`,
  },
  {
    key: 'exchanges',
    name: t`Exchanges`,
    color: '#1f5f8b',
    hint: t`${POINTS.completedExchange} for each completed exchange`,
  },
  {
    key: 'bids',
    name: t`Bids`,
    color: '#b87a10',
    hint: t`${POINTS.completedSale} for each completed sale, to both sides`,
  },
  {
    key: 'ratings',
    name: t`Ratings`,
    color: '#84316f',
    hint: t`The average × ${POINTS.perRatingPoint}, as if ${POINTS.ratingWeight} others had given ${POINTS.ratingPrior} of ${RATING_MAX}`,
  },
];

/** The parts of a reputation as bars on one scale. */
export function ReputationBreakdown({ scores }: { scores: Scores }) {
  const most = Math.max(...PARTS.map(({ key }) => scores[key]), 1);
  return (
    <Surface component="section" p={20} aria-labelledby="reputation">
      <Title order={2} size="h4" id="reputation">
        <Trans>Reputation: {scoreText(scores.overall)}</Trans>
      </Title>
      <PlainList gap={18} mt={16}>
        {PARTS.map(({ key, name, color, hint }) => (
          <li key={key} className={classes.part}>
            <span>{name}</span>
            <Text span fw={700} className="tabular">
              {scoreText(scores[key])}
            </Text>
            <span className={classes.bar} aria-hidden="true">
              <span
                className={classes.fill}
                style={{ width: `${(scores[key] / most) * 100}%`, '--part-color': color } as CSSProperties}
              />
            </span>
            <span className={classes.hint}>{hint}</span>
          </li>
        ))}
      </PlainList>
      <Text size="sm" c="dimmed" mt="md">
        {countedPeople()}
      </Text>
    </Surface>
  );
}

export function OwnReputation() {
  const { stats } = useStatsOrZeros();
  return stats ? <ReputationBreakdown scores={stats.scores} /> : <ReputationSkeleton />;
}

/** The bars while they load. */
export function ReputationSkeleton() {
  return (
    <Surface p={20} aria-hidden="true">
      <Skeleton height={24} width="60%" />
      <Stack gap={18} mt={16}>
        <Repeat count={4}>
          <div>
            <Skeleton height={16} width="40%" mb={10} />
            <Skeleton height={12} radius="xl" mb={8} />
            <Skeleton height={14} width="70%" />
          </div>
        </Repeat>
      </Stack>
      <Skeleton height={16} width="80%" mt="lg" />
    </Surface>
  );
}
