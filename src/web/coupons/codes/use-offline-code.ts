import { useEffect, useState } from 'react';
import type { OfflineCode } from '#contract/coupons/offline-codes.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { hasOfflineCodes } from '#web/lib/viewer-storage.ts';

/**
 * What this device keeps of a coupon's code, once it is wanted; that it was shown is noted. Null for nothing, undefined
 * while it is looked for.
 */
export function useOfflineCode(couponId: number, isWanted: boolean): OfflineCode | null | undefined {
  const { id: userId } = useMember();
  const [found, setFound] = useState<{ readonly of: number; readonly code: OfflineCode | null }>();
  const isLooking = isWanted && hasOfflineCodes();
  useEffect(() => {
    if (!isLooking) return;
    let isOver = false;
    const look = async () => {
      const { offlineCode, noteView } = await import('#web/coupons/codes/offline-codes.ts');
      const found = await offlineCode(userId, couponId);
      if (isOver) return;
      if (found) await noteView(couponId);
      setFound({ of: couponId, code: found });
    };
    look().catch(() => setFound({ of: couponId, code: null }));
    return () => {
      isOver = true;
    };
  }, [isLooking, userId, couponId]);
  if (!isLooking) return null;
  return found?.of === couponId ? found.code : undefined;
}
