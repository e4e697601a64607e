import { Trans } from '@lingui/react/macro';
import { Skeleton, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { LeaderboardEntry } from '#contract/oversight/leaderboard.ts';
import type { LeaderboardCategory } from '#contract/oversight/leaderboard-categories.ts';
import { Drawing } from '#web/components/drawing.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { scoreText } from '#web/lib/format.ts';
import classes from './leaderboard.module.css';
import { statsOf } from './wording.ts';

interface EntryRowProps {
  readonly entry: LeaderboardEntry;
  readonly category: LeaderboardCategory;
  /** The highest score of the board: the full width of a bar. */
  readonly best: number;
  readonly isOwn: boolean;
}

/** The first three ranks have a medal. */
const MEDALS = 3;

/** A row of the board: rank, person, points and numbers. */
export function EntryRow({ entry, category, best, isOwn }: EntryRowProps) {
  const { rank, userId, username, profileImageUrl, score, stats } = entry;
  return (
    <li className={classes.row} data-own={isOwn || undefined}>
      <span className={classes.rank}>
        {rank <= MEDALS && <Medal rank={rank} />}
        {rank <= MEDALS ? (
          <VisuallyHidden>
            <Trans>Rank {rank}</Trans>
          </VisuallyHidden>
        ) : (
          <Rank rank={rank} />
        )}
      </span>
      <div className={classes.who}>
        <UserAvatar username={username} profileImageUrl={profileImageUrl} size={40} />
        <Link to={paths.user(userId)} className={classes.name}>
          {username}
        </Link>
        {isOwn && (
          <ToneBadge tone="neutral">
            <Trans>You</Trans>
          </ToneBadge>
        )}
      </div>
      <div className={classes.score}>
        <span className={classes.points}>{scoreText(score)}</span>
        <span className={classes.bar} aria-hidden="true">
          <span
            className={classes.fill}
            style={{ width: `${best > 0 ? Math.min(100, (score / best) * 100) : 0}%` }}
          />
        </span>
      </div>
      <dl className={classes.stats}>
        {statsOf(stats, category).map(({ name, value, isCounted }) => (
          <div key={name} className={classes.stat} data-counted={isCounted || undefined}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

const METALS: Record<number, string | undefined> = { 1: classes.gold, 2: classes.silver, 3: classes.bronze };

/** A medal with the rank on it. */
function Medal({ rank }: { rank: number }) {
  return (
    <Drawing width={40} height={44} stroke="none" className={METALS[rank]}>
      <path className={classes.ribbon} d="M10 0h9l4 15h-9zM30 0h-9l-4 15h9z" />
      <circle className={classes.disc} cx="20" cy="28" r="15" />
      <circle className={classes.ring} cx="20" cy="28" r="11.5" />
      <text className={classes.number} x="20" y="33.5" fontSize="15" textAnchor="middle">
        {rank}
      </text>
    </Drawing>
  );
}

function Rank({ rank }: { rank: number }) {
  return (
    <>
      <VisuallyHidden>
        <Trans>Rank</Trans>{' '}
      </VisuallyHidden>
      {rank}
    </>
  );
}

/** A row while it loads. */
export function EntryRowSkeleton() {
  return (
    <div className={classes.row} aria-hidden="true">
      <span className={classes.rank}>
        <Skeleton height={28} width={28} circle />
      </span>
      <div className={classes.who}>
        <Skeleton height={40} width={40} circle />
        <Skeleton height={18} width={130} />
      </div>
      <div className={classes.score}>
        <Skeleton height={18} width={90} my={4} />
        <Skeleton height={10} radius="xl" />
      </div>
      <div className={classes.stats}>
        <Skeleton height={16} width="100%" maw={420} my={3} />
      </div>
    </div>
  );
}
