import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Container, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { defineAddress, oneOf } from '#contract/base/address.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import type { SessionUser } from '#contract/people/accounts.ts';
import { usePageTitle } from '#web/components/page-shell.tsx';
import { LatestRatings } from '#web/deals/ratings/ratings-list.tsx';
import { useAddress } from '#web/lib/address.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import classes from '#web/oversight/profiles/profile.module.css';
import { ProfileHead } from '#web/oversight/profiles/profile-head.tsx';
import { OwnReputation } from '#web/oversight/profiles/reputation.tsx';
import { OwnStats } from '#web/oversight/profiles/stats.tsx';
import { EmailMark } from '#web/people/accounts/email-mark.tsx';
import { SendLinkButton } from '#web/people/accounts/email-verification.tsx';
import { TransactionLogsList } from '#web/people/notifications/transaction-logs-list.tsx';

const TABS = ['overview', 'activity', 'coupons'] as const;
const ADDRESS = defineAddress({ tab: oneOf(TABS) });

/** The viewer's own profile: overview, activity and coupons. */
export function Component() {
  usePageTitle(PAGES.profile.title());
  const { user } = useViewer();
  const [{ tab }, change] = useAddress(ADDRESS);
  if (!user) return null;
  return (
    <Container size="lg" py={{ base: 20, sm: 32 }}>
      <Stack gap="lg">
        <OwnHead user={user} />
        <OwnStats />
        <Tabs
          value={tab}
          onChange={(value) => change({ tab: TABS.find((known) => known === value) })}
          keepMounted={false}
        >
          <Tabs.List aria-label={t`Your profile`} mb="lg">
            <Tabs.Tab value="overview">
              <Trans>Overview</Trans>
            </Tabs.Tab>
            <Tabs.Tab value="activity">
              <Trans>Activity</Trans>
            </Tabs.Tab>
            <Tabs.Tab value="coupons">
              <Trans>My Coupons</Trans>
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="overview">
            <div className={classes.columns}>
              <OwnReputation />
              <section aria-labelledby="latest-ratings">
                <Title order={2} size="h4" id="latest-ratings" mb="sm">
                  <Trans>Latest ratings</Trans>
                </Title>
                <LatestRatings userId={user.id} />
              </section>
            </div>
          </Tabs.Panel>
          <Tabs.Panel value="activity">
            <TransactionLogsList />
          </Tabs.Panel>
          <Tabs.Panel value="coupons">
            <Stack align="flex-start">
              <Text>
                <Trans>See all your listed and saved coupons in My Coupons.</Trans>
              </Text>
              <Button component={Link} to={paths.myCoupons}>
                <Trans>Go to My Coupons</Trans>
              </Button>
            </Stack>
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Container>
  );
}

function OwnHead({ user }: { user: SessionUser }) {
  const waiting = user.pendingEmail ?? (user.isEmailVerified ? null : user.email);
  return (
    <ProfileHead
      username={user.username}
      profileImageUrl={user.profileImageUrl}
      country={user.country}
      createdAt={user.createdAt}
      bio={user.bio}
      preferredCurrency={user.preferredCurrency}
      acts={
        <Group gap="sm">
          <Button component={Link} to={paths.settings('profile')}>
            <Trans>Edit Profile</Trans>
          </Button>
          <Button component={Link} to={paths.user(user.id)} variant="default">
            <Trans>See your public page</Trans>
          </Button>
        </Group>
      }
    >
      <Group gap="6px 10px">
        <span>{user.email}</span>
        <EmailMark isVerified={user.isEmailVerified} />
        {waiting && <SendLinkButton address={waiting} />}
      </Group>
      {user.pendingEmail && (
        <Text size="sm" c="dimmed">
          <Trans>
            {user.pendingEmail} is not confirmed yet.{' '}
            <Anchor component={Link} to={paths.settings('profile')} underline="always">
              Change it
            </Anchor>
          </Trans>
        </Text>
      )}
    </ProfileHead>
  );
}
