import { useEffect, useState } from 'react';
import type { KeptCode } from '#contract/coupons/kept-codes.ts';
import { keepsCodes } from '#web/lib/kept-values.ts';
import { useMember } from '#web/lib/viewer.tsx';

/**
 * What this device keeps of a coupon's code, once it is wanted; that it was shown is noted. Null for nothing, undefined
 * while it is looked for.
 */
export function useKeptCode(couponId: number, isWanted: boolean): KeptCode | null | undefined {
  const { id: userId } = useMember();
  const [kept, setKept] = useState<{ readonly of: number; readonly code: KeptCode | null }>();
  const isLooking = isWanted && keepsCodes();
  useEffect(() => {
    if (!isLooking) return;
    let isOver = false;
    const look = async () => {
      const { keptCode, noteView } = await import('#web/coupons/codes/device-codes.ts');
      const found = await keptCode(userId, couponId);
      if (isOver) return;
      if (found) await noteView(couponId);
      setKept({ of: couponId, code: found });
    };
    look().catch(() => setKept({ of: couponId, code: null }));
    return () => {
      isOver = true;
    };
  }, [isLooking, userId, couponId]);
  if (!isLooking) return null;
  return kept?.of === couponId ? kept.code : undefined;
}
