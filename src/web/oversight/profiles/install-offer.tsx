import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { marketName } from '#contract/base/market.ts';
import type { SessionUser } from '#contract/people/accounts.ts';
import { Offer } from '#web/components/offer.tsx';
import { installPrompt } from '#web/lib/install-prompt.ts';
import { installsByMenu } from '#web/lib/installs-by-menu.ts';
import { withStorage } from '#web/lib/storage.ts';

const ASKED_KEY = 'clipswap.install-offer';

/** Offers members once in this browser to install the application, after their first deal. */
export function InstallOffer({ user }: { user: SessionUser }) {
  const prompt = useSyncExternalStore(installPrompt.subscribe, installPrompt.read);
  const [isAsked, setIsAsked] = useState(
    () => withStorage('localStorage', (storage) => storage.getItem(ASKED_KEY)) !== null,
  );
  const isByMenu = installsByMenu();
  const hasDealt = user.successfulExchanges + user.acceptedBids > 0;
  if (!hasDealt || isAsked || (prompt === null && !isByMenu)) return null;
  const end = () => {
    withStorage('localStorage', (storage) => storage.setItem(ASKED_KEY, 'asked'));
    setIsAsked(true);
  };
  return (
    <Offer
      label={t`Install ${{ market: marketName() }}`}
      place="bottom"
      closeLabel={t`Do not install`}
      onClose={end}
    >
      <Text size="sm">
        {isByMenu
          ? t`To install ${{ market: marketName() }}, press Share, then “Add to Home Screen”.`
          : t`Your coupons, also without a network.`}
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
          <Trans>Install {ph({ market: marketName() })}</Trans>
        </Button>
      )}
    </Offer>
  );
}
