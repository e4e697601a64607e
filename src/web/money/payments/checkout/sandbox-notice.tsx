import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import classes from './checkout.module.css';

/** Says that payments are not real, and which test card works. */
export function SandboxNotice() {
  return (
    <Alert
      color="yellow"
      role="note"
      title={t`Test mode: no real money moves`}
      icon={<IconFlask size={20} aria-hidden="true" />}
      mb="lg"
    >
      <Trans>
        Pay with the test card <b className={classes.testCard}>4242 4242 4242 4242</b>, any date in the future
        and any security code. Never type a real card number here.{' '}
        <Anchor underline="always" href="/sandbox" inherit>
          Play the bank and the providers
        </Anchor>
        : try refunds, disputes and outages.
      </Trans>
    </Alert>
  );
}
