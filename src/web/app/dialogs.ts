import { dialogHost } from '#web/components/dialog-host.tsx';

/** Every dialog that `openDialog` can open: a file that exports it as `Component`, with its subject as props. */
const DIALOGS = {
  actOnBid: () => import('../features/bids/bid-act-dialog.tsx'),
  actOnExchange: () => import('../features/exchanges/exchange-act-dialog.tsx'),
  addPasskey: () => import('../features/accounts/add-passkey-dialog.tsx'),
  answerClaim: () => import('../features/claims/answer-claim-dialog.tsx'),
  appeal: () => import('../features/accounts/appeal-dialog.tsx'),
  buy: () => import('../features/bids/buy-dialog.tsx'),
  camera: () => import('../features/coupons/validate/camera-dialog.tsx'),
  changeOffer: () => import('../features/exchanges/change-offer-dialog.tsx'),
  claimSale: () => import('../features/payments/claim-sale-dialog.tsx'),
  claimSwap: () => import('../features/claims/claim-swap-dialog.tsx'),
  confirm: () => import('../components/confirm.tsx'),
  confirmAddress: () => import('../features/accounts/confirm-address-dialog.tsx'),
  confirmSecondFactor: () => import('../features/accounts/confirm-second-factor-dialog.tsx'),
  counterBid: () => import('../features/bids/counter-dialog.tsx'),
  coupon: () => import('../features/coupons/coupon-dialog.tsx'),
  decideClaim: () => import('../features/claims/decide-claim-dialog.tsx'),
  deleteAccount: () => import('../features/accounts/delete-account-dialog.tsx'),
  dismissMatch: () => import('../features/matches/dismiss-match-dialog.tsx'),
  editPicture: () => import('../components/picture-editor.tsx'),
  filters: () => import('../features/coupons/filter-drawer.tsx'),
  messages: () => import('../features/messages/messages-dialog.tsx'),
  navigation: () => import('./navigation-drawer.tsx'),
  notePaymentIssue: () => import('../features/admin/note-dialog.tsx'),
  paymentEvidence: () => import('../features/admin/evidence-dialog.tsx'),
  personRecord: () => import('../features/moderation/person-record-dialog.tsx'),
  placeBid: () => import('../features/bids/place-bid-dialog.tsx'),
  proposeExchange: () => import('../features/exchanges/propose-exchange-dialog.tsx'),
  proposeMatch: () => import('../features/matches/propose-match-dialog.tsx'),
  redeem: () => import('../features/coupons/redeem-and-tell.tsx'),
  removePasskey: () => import('../features/accounts/remove-passkey-dialog.tsx'),
  removePicture: () => import('../features/moderation/remove-picture-dialog.tsx'),
  renamePasskey: () => import('../features/accounts/rename-passkey-dialog.tsx'),
  renewRecoveryCodes: () => import('../features/accounts/renew-recovery-codes-dialog.tsx'),
  report: () => import('../features/moderation/report-dialog.tsx'),
  resetSecondFactor: () => import('../features/admin/reset-second-factor-dialog.tsx'),
  reviewReport: () => import('../features/moderation/review-dialog.tsx'),
  settleDebt: () => import('../features/admin/settle-debt-dialog.tsx'),
  turnOffSecondFactor: () => import('../features/accounts/turn-off-second-factor-dialog.tsx'),
  turnOnSecondFactor: () => import('../features/accounts/turn-on-second-factor-dialog.tsx'),
  userStatus: () => import('../features/admin/user-status-dialog.tsx'),
  validate: () => import('../features/coupons/validate/validate-dialog.tsx'),
  want: () => import('../features/coupons/wants/want-dialog.tsx'),
};

type Table = typeof DIALOGS;
declare module '#web/lib/open-dialog.ts' {
  interface DialogTable extends Table {}
}

/** Shows the dialogs that are open. */
export const Dialogs = dialogHost(DIALOGS);
