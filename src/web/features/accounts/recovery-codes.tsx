import { Alert, Button, Group, Stack } from '@mantine/core';
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
        Each signs you in once if you lose your phone. They are not shown again.
      </Alert>
      <ul className={classes.recoveryCodes} aria-label="Recovery codes" translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="flex-end">
        <Button onClick={onClose}>I have kept them</Button>
      </Group>
    </Stack>
  );
}
