import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Container, Group, Text, Title } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { pageSetting } from '#contract/base/page-setting.ts';
import { paths } from '#contract/base/pages.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import classes from './hero.module.css';

/** Two examples, not listed coupons. */
const GIVEN = {
  id: 1,
  title: t`Any two paperbacks`,
  merchant: t`Second Story Books`,
  value: 1_500,
  discountType: 'fixed',
  expiryDate: null,
  expiresAt: null,
  ownerId: 0,
} as const;
const GOT = {
  ...GIVEN,
  id: 2,
  title: t`A week of flat whites`,
  merchant: t`Little Owl Coffee`,
  value: 2_000,
} as const;

/** The top of the home page: what ClipSwap is, how it works, and the first step. */
export function Hero({ action, invitation }: { action: ReactNode; invitation: ReactNode }) {
  return (
    <section className={classes.hero} aria-labelledby="hero-title">
      <Container size="xl" className={classes.inner}>
        <div className={classes.words}>
          <Title order={1} id="hero-title" className={classes.title}>
            {pageSetting('tagline') ?? <Trans>Swap coupons you won’t use for ones you will</Trans>}
          </Title>
          <Text className={classes.text}>
            <Trans>Swap coupons, make an offer, or buy now. Only the new owner sees the code.</Trans>
          </Text>
          <Group gap="sm">
            {action}
            <Button component={Link} to={paths.howItWorks} variant="default" size="md">
              <Trans>How It Works</Trans>
            </Button>
          </Group>
          <div className={classes.invitation}>{invitation}</div>
        </div>
        <div className={classes.art} aria-hidden="true" inert>
          <div className={classes.given}>
            <CouponTicket coupon={GIVEN} size="small" isLinked={false} />
          </div>
          <span className={classes.sign}>
            <IconArrowsLeftRight size={24} />
          </span>
          <div className={classes.got}>
            <CouponTicket coupon={GOT} size="small" isLinked={false} />
          </div>
        </div>
      </Container>
    </section>
  );
}
