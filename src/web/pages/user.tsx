import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Container, Stack, Title } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import { formatNumber } from '#contract/base/locale.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { idSchema } from '#contract/base/primitives.ts';
import type { PublicProfile } from '#contract/oversight/profiles.ts';
import { NotFound } from '#web/components/not-found.tsx';
import { usePageTitle } from '#web/components/page-shell.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { RatingsList, RatingsSkeleton } from '#web/deals/ratings/ratings-list.tsx';
import { RatingSummary } from '#web/deals/ratings/stars.tsx';
import { hasCode } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { BlockButton } from '#web/oversight/moderation/block-button.tsx';
import { RemovePicture } from '#web/oversight/moderation/remove-picture.tsx';
import { ReportButton } from '#web/oversight/moderation/report-button.tsx';
import { FailedCodes } from '#web/oversight/profiles/failed-codes.tsx';
import classes from '#web/oversight/profiles/profile.module.css';
import { ProfileHead, ProfileHeadSkeleton } from '#web/oversight/profiles/profile-head.tsx';
import { ReputationBreakdown, ReputationSkeleton } from '#web/oversight/profiles/reputation.tsx';
import { StatTiles } from '#web/oversight/profiles/stats.tsx';

/** A person's public profile. */
export function Component() {
  const params = useParams();
  const id = idSchema.safeParse(Number(params.id)).data ?? null;
  const query = trpc.profiles.byId.useQuery({ id: id ?? 0 }, { enabled: id !== null });
  const { data, error, isFetching } = query;
  usePageTitle(data?.username ?? PAGES.user.title());
  if (id === null || (hasCode(error, 'not_found') && !isFetching)) return <UserNotFound />;
  return (
    <Container size="lg" py={{ base: 20, sm: 32 }}>
      <QueryContent
        query={query}
        errorTitle={t`Error loading this profile`}
        errorOrder={1}
        skeleton={<UserSkeleton />}
      >
        {(profile) => <UserFound key={id} profile={profile} />}
      </QueryContent>
    </Container>
  );
}

const TILES = [t`Verified coupons`, t`Exchanges`, t`Sales`] as const;

function UserFound({ profile }: { profile: PublicProfile }) {
  const { user } = useViewer();
  const isOneself = user?.id === profile.id;
  const values = [profile.verifiedCoupons, profile.successfulExchanges, profile.acceptedBids];
  return (
    <Stack gap="lg">
      <ProfileHead
        {...profile}
        acts={
          isOneself ? (
            <Button component={Link} to={paths.settings('profile')} variant="default">
              <Trans>Edit Profile</Trans>
            </Button>
          ) : (
            <>
              <ReportButton
                userId={profile.id}
                username={profile.username}
                pictureUrl={profile.profileImageUrl}
              />
              <BlockButton userId={profile.id} username={profile.username} isBlocked={profile.isBlocked} />
              <RemovePicture url={profile.profileImageUrl} username={profile.username} />
            </>
          )
        }
      >
        <FailedCodes person={profile} />
        <RatingSummary average={profile.averageRating} count={profile.ratingCount} />
      </ProfileHead>
      <StatTiles
        label={t`What ${profile.username} has done`}
        stats={TILES.map((name, index) => ({ name, value: formatNumber(values[index] ?? 0) }))}
      />
      <div className={classes.columns}>
        <ReputationBreakdown scores={profile.scores} />
        <section aria-labelledby="ratings">
          <Title order={2} size="h4" id="ratings" mb="sm">
            <Trans>Ratings</Trans>
          </Title>
          <RatingsList userId={profile.id} username={profile.username} />
        </section>
      </div>
    </Stack>
  );
}

function UserSkeleton() {
  return (
    <Stack gap="lg">
      <ProfileHeadSkeleton />
      <StatTiles label={t`Loading`} stats={TILES.map((name) => ({ name, value: undefined }))} />
      <div className={classes.columns}>
        <ReputationSkeleton />
        <RatingsSkeleton count={3} />
      </div>
    </Stack>
  );
}

function UserNotFound() {
  return (
    <NotFound
      title={t`Profile not found`}
      heading={t`There is no profile at this address`}
      text={t`The account may have been deleted, or the link may be incomplete.`}
      next={{ to: paths.leaderboard, label: t`See the leaderboard` }}
    />
  );
}
