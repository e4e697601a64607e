import { plural, t } from '@lingui/core/macro';
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatDay } from '#contract/base/locale.ts';
import { paths } from '#contract/base/pages.ts';
import type { PublicProfile } from '#contract/oversight/profiles.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { Surface } from '#web/components/surface.tsx';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { formatDate } from '#web/lib/format.ts';
import { timeAgo, useNow } from '#web/lib/time-ago.ts';
import { FailedCodes } from '#web/oversight/profiles/failed-codes.tsx';
import classes from './seller-strip.module.css';

const HOUR_MS = 3_600_000;

/** @param lastSeenAt to the hour: minutes of it would say what nobody knows */
function lastSeenText(lastSeenAt: string, now: Date): string {
  const isThisHour = now.getTime() - Date.parse(lastSeenAt) < HOUR_MS;
  return isThisHour ? t`Last seen: within the hour` : t`Last seen: ${timeAgo(lastSeenAt, now)}`;
}

interface SellerStripProps {
  readonly profile: PublicProfile;
  /** The rating. It belongs to another feature. */
  readonly rating: ReactNode;
}

/** Who has a coupon: what they have done here, and when they were last here. */
export function SellerStrip({ profile, rating }: SellerStripProps) {
  const now = useNow();
  const { id, username, profileImageUrl, successfulExchanges, acceptedBids, awayUntil, lastSeenAt } = profile;
  const deals = successfulExchanges + acceptedBids;
  const facts = [
    plural(deals, { one: '# deal', other: '# deals' }),
    awayUntil && t`Away until ${formatDay(awayUntil)}`,
    t`Member since ${formatDate(profile.createdAt)}`,
    lastSeenAt && lastSeenText(lastSeenAt, now),
  ];
  return (
    <Surface component="section" className={classes.strip} aria-label={t`Owner`}>
      <UserAvatar username={username} profileImageUrl={profileImageUrl} size={56} />
      <div className={classes.who}>
        <Anchor component={Link} to={paths.user(id)} c="inherit" fw={700} className="target">
          {username}
        </Anchor>
        {rating}
        <FailedCodes person={profile} />
        <PlainList className={classes.facts}>
          {facts.map((fact) => fact && <li key={fact}>{fact}</li>)}
        </PlainList>
      </div>
    </Surface>
  );
}
