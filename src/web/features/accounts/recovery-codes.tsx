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
      <Alert color="yellow" variant="light" role="status" title="Keep these codes in a safe place">
        If you lose your phone, each code lets you sign in once. We will not show them again.
      </Alert>
      <PlainList className={classes.recoveryCodes} aria-label="Recovery codes" translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </PlainList>
      <Group justify="flex-end">
        <Button onClick={onClose}>I have saved them</Button>
      </Group>
    </Stack>
  );
}
