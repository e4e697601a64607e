import { Container } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import type { SessionUser } from '#contract/accounts.ts';
import { NEW_ACCOUNT_DAYS } from '#contract/limits.ts';
import { isRestricted } from '#contract/roles.ts';
import { onDemand, useOnDemand } from '#web/components/on-demand.tsx';
import { withStorage } from '#web/lib/storage.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import type { Steps } from './first-steps.tsx';
import classes from './first-steps-place.module.css';

const DAY_MS = 86_400_000;
const listOnDemand = onDemand(async () => (await import('./first-steps.tsx')).FirstStepsList);

/** The place on Home of a new member's first steps: it has its height before they are known. */
export function FirstStepsPlace() {
  const { user } = useViewer();
  return user && !isRestricted(user.status) ? <PlaceOf key={user.id} user={user} /> : null;
}

function PlaceOf({ user }: { user: SessionUser }) {
  const [isNew, setIsNew] = useState(() => isNewHere(user));
  const enabled = { enabled: isNew };
  const readiness = trpc.sellers.readiness.useQuery(undefined, enabled);
  const found = trpc.profiles.firstSteps.useQuery(undefined, enabled);
  const steps: Steps | null =
    readiness.data && found.data
      ? {
          address: user.isEmailVerified,
          coupon: found.data.hasCoupon,
          wish: found.data.hasWish,
          ...(readiness.data.isAvailable && { payment: readiness.data.isReady }),
          profile: user.profileImageUrl !== null && user.bio !== null,
        }
      : null;
  const end = () => {
    withStorage('localStorage', (storage) => storage.setItem(keyOf(user), 'ended'));
    setIsNew(false);
  };
  const List = useOnDemand(listOnDemand, isNew && steps !== null);
  if (!isNew || readiness.isError || found.isError) return null;
  const rows = steps ? Object.keys(steps).length : 5;
  return (
    <Container size="xl" className={classes.place} style={{ '--rows': rows } as CSSProperties}>
      {steps && List && <List steps={steps} onEnd={end} />}
    </Container>
  );
}

const keyOf = ({ id }: SessionUser) => `clipswap.first-steps.${id}`;

/** Whether the account is new and its steps were neither hidden nor done in this browser. */
function isNewHere(user: SessionUser): boolean {
  const isOld = Date.parse(user.createdAt) < Date.now() - NEW_ACCOUNT_DAYS * DAY_MS;
  return !isOld && !withStorage('localStorage', (storage) => storage.getItem(keyOf(user)));
}
