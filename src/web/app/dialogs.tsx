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
};

type Table = typeof DIALOGS;
declare module '#web/lib/open-dialog.ts' {
  interface DialogTable extends Table {}
}

/** Shows the dialogs that are open. */
export const Dialogs = dialogHost(DIALOGS);
