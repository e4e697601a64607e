import { Container } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import { NEW_ACCOUNT_DAYS } from '#contract/base/limits.ts';
import type { SessionUser } from '#contract/people/accounts.ts';
import { isRestricted } from '#contract/people/roles.ts';
import { lazyWithPreload } from '#web/components/on-demand.tsx';
import { withStorage } from '#web/lib/storage.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import classes from './home-first-steps.module.css';

const DAY_MS = 86_400_000;
const FirstStepsList = lazyWithPreload(async () => (await import('./first-steps.tsx')).FirstStepsList);

/** A new member's first steps, on Home. Their place has its height before they are known. */
export function HomeFirstSteps() {
  const { user } = useViewer();
  return user && !isRestricted(user.status) ? <StepsOf key={user.id} user={user} /> : null;
}

function StepsOf({ user }: { user: SessionUser }) {
  const [isNew, setIsNew] = useState(() => isNewHere(user));
  const enabled = { enabled: isNew };
  const readiness = trpc.sellers.readiness.useQuery(undefined, enabled);
  const found = trpc.profiles.firstSteps.useQuery(undefined, enabled);
  const end = () => {
    withStorage('localStorage', (storage) => storage.setItem(keyOf(user), 'ended'));
    setIsNew(false);
  };
  if (!isNew || readiness.isError || found.isError) return null;
  const rows = readiness.data?.isAvailable === false ? 4 : 5;
  return (
    <Container size="xl" className={classes.place} style={{ '--rows': rows } as CSSProperties}>
      {readiness.data && found.data && (
        <FirstStepsList user={user} readiness={readiness.data} found={found.data} onEnd={end} />
      )}
    </Container>
  );
}

const keyOf = ({ id }: SessionUser) => `clipswap.first-steps.${id}`;

/** Whether the account is new and its steps were neither hidden nor done in this browser. */
function isNewHere(user: SessionUser): boolean {
  const isOld = Date.parse(user.createdAt) < Date.now() - NEW_ACCOUNT_DAYS * DAY_MS;
  return !isOld && !withStorage('localStorage', (storage) => storage.getItem(keyOf(user)));
}
