import { dialogOnDemand } from '#web/components/on-demand.tsx';

export const CouponDialog = dialogOnDemand(async () => (await import('./coupon-dialog.tsx')).CouponDialog);

export const RedeemDialog = dialogOnDemand(async () => (await import('./redeem-and-tell.tsx')).RedeemAndTell);

export const ValidateDialog = dialogOnDemand(
  async () => (await import('./validate/validate-dialog.tsx')).ValidateDialog,
);
