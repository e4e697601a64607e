import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, CloseButton, Group, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { FirstSteps } from '#contract/oversight/profiles.ts';
import type { SessionUser } from '#contract/people/accounts.ts';
import type { SellerReadiness } from '#contract/people/sellers.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { Surface } from '#web/components/surface.tsx';
import { askFor } from '#web/lib/prompts.ts';
import classes from './first-steps.module.css';

/** The first steps of a new member; whether each is done. */
interface Steps {
  readonly address: boolean;
  readonly coupon: boolean;
  readonly wish: boolean;
  /** Missing where nobody can be paid. */
  readonly payment?: boolean;
  readonly profile: boolean;
}

const link = (to: string, text: string) => (
  <Anchor component={Link} to={to} inherit lh="44px">
    {text}
  </Anchor>
);

const STEPS: Record<keyof Steps, { readonly text: string; readonly act: (text: string) => ReactNode }> = {
  address: {
    text: t`Confirm your email address`,
    act: (text) => (
      <Anchor
        component="button"
        type="button"
        inherit
        lh="44px"
        onClick={() => askFor('address_unconfirmed')}
      >
        {text}
      </Anchor>
    ),
  },
  coupon: { text: t`Add your first coupon`, act: (text) => link(paths.addCouponAtHome, text) },
  wish: { text: t`Start your wish list`, act: (text) => link(paths.wants, text) },
  payment: { text: t`Set up how you get paid`, act: (text) => link(paths.sellerOnboarding, text) },
  profile: { text: t`Add a picture and a bio`, act: (text) => link(paths.settings('profile'), text) },
};

interface FirstStepsListProps {
  readonly user: SessionUser;
  readonly readiness: SellerReadiness;
  readonly found: FirstSteps;
  /** They were hidden, or all are done. */
  readonly onEnd: () => void;
}

/** What a new member can do next, and how much of it is done. */
export function FirstStepsList({ user, readiness, found, onEnd }: FirstStepsListProps) {
  const steps: Steps = {
    address: user.isEmailVerified,
    coupon: found.hasCoupon,
    wish: found.hasWish,
    ...(readiness.isAvailable && { payment: readiness.isReady }),
    profile: user.profileImageUrl !== null && user.bio !== null,
  };
  const states = Object.entries(steps) as [keyof Steps, boolean][];
  const done = states.filter(([, isDone]) => isDone).length;
  const isOver = done === states.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when all are done
  useEffect(() => {
    if (isOver) onEnd();
  }, [isOver]);
  const hide = () => {
    onEnd();
    // The focused button is gone.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <Surface component="section" px={20} py={12} aria-labelledby="first-steps">
      <Group justify="space-between" wrap="nowrap" h={44}>
        <Title order={2} id="first-steps" size="h5">
          <Trans>Get started</Trans>
        </Title>
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" c="dimmed" role="status">
            <Trans>
              {done} of {states.length} done
            </Trans>
          </Text>
          <CloseButton size={44} iconSize={18} aria-label={t`Hide these steps`} onClick={hide} />
        </Group>
      </Group>
      <PlainList className={classes.steps}>
        {states.map(([name, isDone]) => {
          const { text, act } = STEPS[name];
          return (
            <li key={name} className={classes.step} data-done={isDone || undefined}>
              {isDone ? (
                <>
                  <IconCircleCheckFilled
                    size={20}
                    color="var(--mantine-color-green-text)"
                    aria-hidden="true"
                  />
                  <span>
                    {text}
                    <VisuallyHidden>
                      {' '}
                      <Trans>(done)</Trans>
                    </VisuallyHidden>
                  </span>
                </>
              ) : (
                <>
                  <IconCircle size={20} aria-hidden="true" />
                  {act(text)}
                </>
              )}
            </li>
          );
        })}
      </PlainList>
    </Surface>
  );
}
