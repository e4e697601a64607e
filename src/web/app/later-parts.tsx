import { useMutationState } from '@tanstack/react-query';
import { lazyWithPreload } from '#web/components/on-demand.tsx';
import { hasOfflineCodes } from '#web/lib/viewer-storage.ts';

const OfflineCodesSync = lazyWithPreload(
  async () => (await import('#web/coupons/codes/offline-codes-sync.tsx')).OfflineCodesSync,
);
const PushAsk = lazyWithPreload(async () => (await import('#web/people/push/push-ask.tsx')).PushAsk);

/** What lives beside every page, and no first look needs. */
export function LaterParts() {
  const hasChanged = useMutationState().length > 0;
  return (
    <>
      {(hasChanged || hasOfflineCodes()) && <OfflineCodesSync />}
      {hasChanged && <PushAsk />}
    </>
  );
}
