import { Alert } from '@mantine/core';
import { useViewer } from '#web/lib/viewer.tsx';
import { useSecondFactor } from './queries.ts';

/** Advises moderators and admins to turn the second factor on. */
export function SecondFactorAdvice() {
  const { user } = useViewer();
  const isMeant = user !== null && user.role !== 'user';
  const { data } = useSecondFactor(isMeant);
  if (!isMeant || !data || data.isOn) return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      role="note"
      title="Protect this account with a second factor"
      mb="lg"
    >
      You can see and decide things that others cannot, so a password alone is not enough.
    </Alert>
  );
}
