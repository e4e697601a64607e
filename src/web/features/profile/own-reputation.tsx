import { Skeleton } from '@mantine/core';
import { Repeat } from '#web/components/repeat.tsx';
import { useStatsOrZeros } from './own-stats.tsx';
import classes from './profile.module.css';
import { ReputationBreakdown } from './reputation-breakdown.tsx';

/** What the viewer's reputation is made of. */
export function OwnReputation() {
  const { stats } = useStatsOrZeros();
  return stats ? <ReputationBreakdown scores={stats.scores} /> : <ReputationSkeleton />;
}

/** The bars while they are coming. */
export function ReputationSkeleton() {
  return (
    <div className={classes.panel} aria-hidden="true">
      <Skeleton height={24} width="60%" />
      <div className={classes.parts}>
        <Repeat count={4}>
          <div>
            <Skeleton height={16} width="40%" mb={10} />
            <Skeleton height={12} radius="xl" mb={8} />
            <Skeleton height={14} width="70%" />
          </div>
        </Repeat>
      </div>
      <Skeleton height={16} width="80%" mt="lg" />
    </div>
  );
}
