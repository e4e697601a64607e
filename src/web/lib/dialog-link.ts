import { useEffect, useEffectEvent, useMemo } from 'react';
import { defineAddress, keyed, plainText } from '#contract/base/address.ts';
import { useAddress } from './address.ts';

/**
 * Opens a dialog where a link asks for it, by `?key=1`. The parameter is removed at once: Back and reload do not open the
 * dialog again, and do not discard what was typed in it.
 * @param open false while the dialog cannot be shown yet: until then the parameter stays in the address
 * @param value which of several dialogs with the same key
 */
export function useDialogLink(key: string, open: false | (() => unknown), value = '1'): void {
  const address = useMemo(() => defineAddress({ asked: keyed(key, plainText) }), [key]);
  const [{ asked }, change] = useAddress(address);
  const isAsked = open !== false && asked === value;
  const follow = useEffectEvent(() => {
    if (open === false) return;
    change({ asked: '' }, { replace: true });
    open();
  });
  useEffect(() => {
    if (!isAsked) return;
    // Later, because React may run the effect twice.
    const timer = setTimeout(follow, 0);
    return () => clearTimeout(timer);
  }, [isAsked]);
}
