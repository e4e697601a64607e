import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Skeleton, Title, VisuallyHidden } from '@mantine/core';
import { IconCalendar, IconCoin, IconMapPin, IconPlaneDeparture } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { countryName } from '#contract/base/countries.ts';
import { formatDay } from '#contract/base/locale.ts';
import { Surface } from '#web/components/surface.tsx';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { formatDate } from '#web/lib/format.ts';
import classes from './profile.module.css';

interface ProfileHeadProps {
  readonly username: string;
  readonly profileImageUrl: string | null;
  readonly country: string;
  readonly createdAt: string;
  readonly bio: string | null;
  /** The day on which the person comes back. */
  readonly awayUntil?: string | null;
  /** Only on the viewer's own profile. */
  readonly preferredCurrency?: string;
  /** Shown below the name. */
  readonly children?: ReactNode;
  readonly acts?: ReactNode;
}

/** The head of a profile: name, facts, bio and buttons. */
export function ProfileHead(props: ProfileHeadProps) {
  const { username, profileImageUrl, country, createdAt, bio, preferredCurrency, awayUntil } = props;
  const { children, acts } = props;
  return (
    <Surface className={classes.head}>
      <UserAvatar username={username} profileImageUrl={profileImageUrl} size={88} />
      <div className={classes.who}>
        <Title order={1} fz={{ base: 'title', sm: 'display' }}>
          {username}
        </Title>
        {children}
        <dl className={classes.facts}>
          <Fact name={t`Member since`} icon={<IconCalendar size={16} aria-hidden="true" />}>
            <Trans>Member since {formatDate(createdAt)}</Trans>
          </Fact>
          <Fact name={t`Country`} icon={<IconMapPin size={16} aria-hidden="true" />}>
            {countryName(country)}
          </Fact>
          {awayUntil && (
            <Fact name={t`Away`} icon={<IconPlaneDeparture size={16} aria-hidden="true" />}>
              <Trans>Away until {formatDay(awayUntil)}</Trans>
            </Fact>
          )}
          {preferredCurrency && (
            <Fact name={t`Preferred currency`} icon={<IconCoin size={16} aria-hidden="true" />}>
              <Trans>Prices in {preferredCurrency}</Trans>
            </Fact>
          )}
        </dl>
      </div>
      {acts && <Group gap={8}>{acts}</Group>}
      {bio && (
        <p className={classes.bio} dir="auto">
          {bio}
        </p>
      )}
    </Surface>
  );
}

function Fact({ name, icon, children }: { name: string; icon: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>
        {icon}
        <VisuallyHidden>{name}</VisuallyHidden>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The head while it loads. */
export function ProfileHeadSkeleton() {
  return (
    <Surface className={classes.head} aria-hidden="true">
      <Skeleton height={88} width={88} circle />
      <div className={classes.who}>
        <Skeleton height={36} width={200} mb={8} />
        <Skeleton height={20} width={240} mb={6} />
        <Skeleton height={18} width={300} maw="100%" />
      </div>
    </Surface>
  );
}
