export { codeFingerprint } from './code-fingerprint.ts';
export { couponById } from './finding.ts';
export {
  delistCoupon,
  lockCoupons,
  releaseReservation,
  reserveCoupons,
  transferCoupons,
} from './reservations.ts';
export { codeContext, pinContext } from './view.ts';
