import { useNetwork } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';
import classes from './shell.module.css';

/** Says so when the network is gone: what is on screen stays readable, nothing can be sent. */
export function OfflineHint() {
  const { online } = useNetwork();
  return (
    <div aria-live="polite">
      {!online && (
        <div className={classes.offline}>
          <IconWifiOff size={18} aria-hidden="true" />
          You are offline. This page comes up to date when you are back.
        </div>
      )}
    </div>
  );
}
