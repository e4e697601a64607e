import { dialogHost } from '#web/components/dialog-host.tsx';

/** Every dialog that `openDialog` can open: a file that exports it as `Component`, with its subject as props. */
const DIALOGS = {
  confirm: () => import('../components/confirm.tsx'),
  answerClaim: () => import('../features/claims/answer-claim-dialog.tsx'),
  claimSale: () => import('../features/payments/claim-sale-dialog.tsx'),
  claimSwap: () => import('../features/claims/claim-swap-dialog.tsx'),
  decideClaim: () => import('../features/claims/decide-claim-dialog.tsx'),
  settleDebt: () => import('../features/admin/settle-debt-dialog.tsx'),
  reviewReport: () => import('../features/moderation/review-dialog.tsx'),
  notePaymentIssue: () => import('../features/admin/note-dialog.tsx'),
  paymentEvidence: () => import('../features/admin/evidence-dialog.tsx'),
  userStatus: () => import('../features/admin/user-status-dialog.tsx'),
  resetSecondFactor: () => import('../features/admin/reset-second-factor-dialog.tsx'),
  removePicture: () => import('../features/moderation/remove-picture-dialog.tsx'),
  report: () => import('../features/moderation/report-dialog.tsx'),
  addPasskey: () => import('../features/accounts/add-passkey-dialog.tsx'),
  renamePasskey: () => import('../features/accounts/rename-passkey-dialog.tsx'),
  removePasskey: () => import('../features/accounts/remove-passkey-dialog.tsx'),
  turnOnSecondFactor: () => import('../features/accounts/turn-on-second-factor-dialog.tsx'),
  turnOffSecondFactor: () => import('../features/accounts/turn-off-second-factor-dialog.tsx'),
  renewRecoveryCodes: () => import('../features/accounts/renew-recovery-codes-dialog.tsx'),
  confirmSecondFactor: () => import('../features/accounts/confirm-second-factor-dialog.tsx'),
  confirmAddress: () => import('../features/accounts/confirm-address-dialog.tsx'),
  deleteAccount: () => import('../features/accounts/delete-account-dialog.tsx'),
  appeal: () => import('../features/accounts/appeal-dialog.tsx'),
};

type Table = typeof DIALOGS;
declare module '#web/lib/open-dialog.ts' {
  interface DialogTable extends Table {}
}

/** Shows the dialogs that are open. */
export const Dialogs = dialogHost(DIALOGS);
