import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
      title={t`Protect this account with a second factor`}
      mb="lg"
    >
      <Trans>You can see and decide things that others cannot, so a password alone is not enough.</Trans>
    </Alert>
  );
}
