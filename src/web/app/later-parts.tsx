import { useMutationState } from '@tanstack/react-query';
import { lazyWithPreload } from '#web/components/on-demand.tsx';
import { keepsCodes } from '#web/lib/kept-values.ts';

const KeptCodes = lazyWithPreload(async () => (await import('#web/coupons/codes/kept-codes.tsx')).KeptCodes);
const PushAsk = lazyWithPreload(async () => (await import('#web/people/push/push-ask.tsx')).PushAsk);

/** What lives beside every page, and no first look needs. */
export function LaterParts() {
  const hasChanged = useMutationState().length > 0;
  return (
    <>
      {(hasChanged || keepsCodes()) && <KeptCodes />}
      {hasChanged && <PushAsk />}
    </>
  );
}
