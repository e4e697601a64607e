import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { PlainList } from '#web/components/plain-list.tsx';
import classes from './accounts.module.css';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <Stack>
      <Alert color="yellow" variant="light" role="status" title={t`Keep these codes in a safe place`}>
        <Trans>If you lose your phone, each code lets you sign in once. We will not show them again.</Trans>
      </Alert>
      <PlainList className={classes.recoveryCodes} aria-label={t`Recovery codes`} translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </PlainList>
      <Group justify="flex-end">
        <Button onClick={onClose}>
          <Trans>I have saved them</Trans>
        </Button>
      </Group>
    </Stack>
  );
}
