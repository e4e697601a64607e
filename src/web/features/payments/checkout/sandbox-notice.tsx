import { Alert } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import classes from './checkout.module.css';

/** What pays here is play money. */
export function SandboxNotice() {
  return (
    <Alert
      color="yellow"
      role="note"
      title="Test mode: no real money moves"
      icon={<IconFlask size={20} aria-hidden="true" />}
      mb="lg"
    >
      Pay with the test card <b className={classes.testCard}>4242 4242 4242 4242</b>, any date in the future
      and any security code. Never type a real card number here.
    </Alert>
  );
}
