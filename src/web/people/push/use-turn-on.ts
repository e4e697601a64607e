import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { subscribeBrowser } from '#web/people/push/push.ts';

/**
 * Turns pushes on in this browser; the browser asks the person first. Call it in a press: browsers ask at no other time.
 * @returns the act, which never rejects and says whether they are on, and whether it is under way
 */
export function useTurnOn() {
  const utils = trpc.useUtils();
  const { mutateAsync: subscribe } = trpc.push.subscribe.useMutation();
  const [isPending, setIsPending] = useState(false);
  const turnOn = async (): Promise<boolean> => {
    setIsPending(true);
    try {
      const permission = await Notification.requestPermission();
      if (permission !== 'granted') {
        toasts.neutral(t`Push notifications are off`, t`You can turn them on in your settings at any time.`);
        return false;
      }
      const { publicKey } = await utils.push.settings.fetch();
      await subscribe(await subscribeBrowser(publicKey));
      toasts.success(t`Push notifications are on`, t`This device gets them until you sign out here.`);
      return true;
    } catch (error) {
      toasts.failed(
        error,
        t`Push notifications not turned on`,
        t`Your browser did not allow it. Please try again later.`,
      );
      return false;
    } finally {
      setIsPending(false);
    }
  };
  return { turnOn, isPending };
}
