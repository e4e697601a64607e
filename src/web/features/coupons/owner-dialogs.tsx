import type { ReactNode } from 'react';
import type { Coupon } from '#contract/coupons.ts';
import { TEXTS } from '#contract/texts.ts';
import { ConfirmDialog } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { CouponDialog } from './coupon-dialog.tsx';
import { useRemoveCoupon } from './queries.ts';

interface OwnerDialogs {
  readonly edit: (coupon: Coupon) => void;
  readonly remove: (coupon: Coupon) => void;
  /** To be rendered by the page. */
  readonly dialogs: ReactNode;
}

/** The dialogs that edit and delete an own coupon. */
export function useOwnerDialogs(onDeleted: (coupon: Coupon) => void): OwnerDialogs {
  const editing = useDialog<Coupon>();
  const deleting = useDialog<Coupon>();
  return {
    edit: editing.open,
    remove: deleting.open,
    dialogs: (
      <>
        {editing.subject && (
          <CouponDialog coupon={editing.subject} opened={editing.opened} onClose={editing.close} />
        )}
        {deleting.subject && (
          <DeleteCouponDialog
            coupon={deleting.subject}
            opened={deleting.opened}
            onClose={deleting.close}
            onDeleted={onDeleted}
          />
        )}
      </>
    ),
  };
}

interface DeleteCouponDialogProps {
  readonly coupon: Coupon;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDeleted: (coupon: Coupon) => void;
}

/** Asks before a coupon is deleted. A refusal is shown in the server's words. */
function DeleteCouponDialog({ coupon, opened, onClose, onDeleted }: DeleteCouponDialogProps) {
  const remove = useRemoveCoupon();
  const answers = dialogAnswers({
    onClose,
    done: () => ['Coupon deleted', `“${coupon.title}” is off the table.`],
    failedTitle: 'Coupon not deleted',
    failedText: TEXTS.coupons.deleteFailed,
    onDone: () => onDeleted(coupon),
  });
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete this coupon?"
      confirmLabel="Delete coupon"
      pendingLabel="Deleting …"
      isDangerous
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ id: coupon.id }, answers)}
      onClose={onClose}
    >
      “{coupon.title}” goes, and its code with it. Requests to swap it are cancelled.
    </ConfirmDialog>
  );
}
