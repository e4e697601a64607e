import { KeptCodes } from '#web/coupons/codes/kept-codes.tsx';
import { PushAsk } from '#web/people/push/push-ask.tsx';

/** What lives beside every page, and no first look needs. */
export function LaterParts() {
  return (
    <>
      <KeptCodes />
      <PushAsk />
    </>
  );
}
