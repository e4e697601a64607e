import { ActionIcon, Button, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { Coupon } from '#contract/coupons.ts';
import { TEXTS } from '#contract/texts.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import classes from './owner-actions.module.css';
import { useRemoveCoupon } from './queries.ts';
import { RedeemButton } from './redeem-button.tsx';
import { dealObstacle, isPersonal } from './wording.ts';

interface OwnerActionsProps {
  readonly coupon: Coupon;
  readonly onDeleted: (coupon: Coupon) => void;
  /** Shows edit and delete on hover only; touch screens and the keyboard always have them. */
  readonly isQuiet?: boolean;
  /** Shows the code as the main action. */
  readonly isPrimary?: boolean;
}

/** Actions on an own coupon; why others do not see it, or while a deal reserves it, why it cannot be changed. */
export function OwnerActions({ coupon, onDeleted, isQuiet, isPrimary }: OwnerActionsProps) {
  const removal = useRemoveCoupon();
  const edit = () => openDialog('coupon', { coupon });
  const askToDelete = () =>
    openDialog('confirm', {
      title: 'Delete this coupon?',
      text: `This deletes “${coupon.title}” and its code, and cancels all pending requests and bids on it.`,
      confirmLabel: 'Delete coupon',
      pendingLabel: 'Deleting…',
      isDangerous: true,
      act: async () => {
        await removal.mutateAsync({ id: coupon.id });
        onDeleted(coupon);
      },
      done: ['Coupon deleted', `“${coupon.title}” is no longer listed.`],
      failed: ['Coupon not deleted', TEXTS.coupons.deleteFailed],
    });
  return (
    <>
      {(isPersonal(coupon) || coupon.isWaiting) && (
        <Text className={classes.why}>{dealObstacle(coupon)}</Text>
      )}
      {coupon.hasCode && <RedeemButton coupon={coupon} isPrimary={isPrimary} isCompact={isQuiet} />}
      {coupon.isReserved ? (
        <Text className={classes.why}>Part of a deal: you can edit or delete it when the deal is over.</Text>
      ) : (
        <ActiveOnly>
          {!coupon.hasCode && (
            <Button variant={isPrimary ? 'filled' : 'default'} px={isQuiet ? 12 : undefined} onClick={edit}>
              Add the code
            </Button>
          )}
          <span className={classes.change} data-quiet={isQuiet || undefined}>
            <ActionIcon
              variant="default"
              size={36}
              radius="xl"
              aria-label={`Edit ${coupon.title}`}
              onClick={edit}
            >
              <IconPencil size={18} aria-hidden="true" />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size={36}
              radius="xl"
              aria-label={`Delete ${coupon.title}`}
              onClick={askToDelete}
            >
              <IconTrash size={18} aria-hidden="true" />
            </ActionIcon>
          </span>
        </ActiveOnly>
      )}
    </>
  );
}
