import { t } from '@lingui/core/macro';
import type { Protection } from '#contract/money/payments.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';

interface BoughtCode {
  readonly bidId: number;
  readonly protection: Pick<Protection, 'cover' | 'mayClaimLate'>;
  /** The ids of the elements that may take the focus afterwards. */
  readonly focusAfter: readonly string[];
}

/** What follows when a buyer says that a code works. */
export const worksText = (isCovered: boolean): string =>
  isCovered
    ? t`The money goes to the seller at once. You cannot undo this. If the code fails later, you can still make a claim, but only the seller pays for it.`
    : t`The money goes to the seller at once. You cannot undo this or make a claim afterwards.`;

/** What the buyer says of a code that they have paid for: that it works, or that it does not. */
export function useAnswerCode({ bidId, protection, focusAfter }: BoughtCode) {
  const confirm = trpc.payments.confirmReceipt.useMutation();
  const works = () =>
    openDialog(
      'confirm',
      {
        title: t`Does the code work?`,
        text: worksText(protection.cover !== null),
        confirmLabel: t`Pay the seller`,
        pendingLabel: t`Processing...`,
        cancelLabel: t`Not yet`,
        act: () => confirm.mutateAsync({ bidId }),
        done: [t`Thank you`, t`The money is on its way to the seller.`],
        failed: [t({ context: 'purchase', message: 'Not confirmed' })],
      },
      { focusAfter },
    );
  const fails = () => openDialog('claimSale', { bidId, isLate: protection.mayClaimLate }, { focusAfter });
  return { works, fails };
}
