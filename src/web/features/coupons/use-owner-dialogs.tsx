import type { ReactNode } from 'react';
import type { Coupon } from '#contract/coupons.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { CouponDialog } from './coupon-dialog.tsx';
import { DeleteCouponDialog } from './delete-coupon-dialog.tsx';

interface OwnerDialogs {
  readonly edit: (coupon: Coupon) => void;
  readonly remove: (coupon: Coupon) => void;
  /** To be put on the page. */
  readonly dialogs: ReactNode;
}

/** The dialogs in which an owner edits or deletes a coupon. */
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
