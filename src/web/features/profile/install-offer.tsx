import { Button, CloseButton, Text } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { installPrompt } from '#web/lib/install-prompt.ts';
import { withStorage } from '#web/lib/storage.ts';
import classes from './install-offer.module.css';

const ASKED_KEY = 'clipswap.install-offer';

/** Whether this is a browser on iOS, which installs by a menu alone. It says there whether the application is installed. */
const installsByMenu = () => 'standalone' in navigator && navigator.standalone === false;

/** Offers once in this browser to install the application. It lies over the page, so that nothing moves. */
export function InstallOffer() {
  const prompt = useSyncExternalStore(installPrompt.subscribe, installPrompt.read);
  const [isAsked, setIsAsked] = useState(
    () => withStorage('localStorage', (storage) => storage.getItem(ASKED_KEY)) !== null,
  );
  const isByMenu = installsByMenu();
  if (isAsked || (prompt === null && !isByMenu)) return null;
  const end = () => {
    withStorage('localStorage', (storage) => storage.setItem(ASKED_KEY, 'asked'));
    setIsAsked(true);
  };
  return (
    <aside className={classes.offer} aria-label="Install ClipSwap">
      <Text size="sm">
        {isByMenu
          ? 'To install ClipSwap, press Share, then “Add to Home Screen”.'
          : 'Your coupons, also without a network.'}
      </Text>
      {prompt && (
        <Button
          variant="default"
          flex="none"
          size="compact-md"
          onClick={() => {
            end();
            void prompt.prompt();
          }}
        >
          Install ClipSwap
        </Button>
      )}
      <CloseButton flex="none" size={44} iconSize={18} aria-label="Do not install" onClick={end} />
    </aside>
  );
}
