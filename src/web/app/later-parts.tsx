import { KeptCodes } from '#web/features/coupons/kept-codes.tsx';
import { PushAsk } from '#web/features/push/push-ask.tsx';

/** What lives beside every page, and no first look needs. */
export function LaterParts() {
  return (
    <>
      <KeptCodes />
      <PushAsk />
    </>
  );
}
