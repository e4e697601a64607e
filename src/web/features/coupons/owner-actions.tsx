import { ActionIcon, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { Coupon } from '#contract/coupons.ts';
import { isPersonal, PERSONAL_USE } from './coupon-state.ts';
import classes from './owner-actions.module.css';
import { RedeemButton } from './redeem-button.tsx';

interface OwnerActionsProps {
  readonly coupon: Coupon;
  readonly onEdit: (coupon: Coupon) => void;
  readonly onDelete: (coupon: Coupon) => void;
  /** Whether editing and deleting wait for the pointer; a finger and the keyboard find them at once. */
  readonly isQuiet?: boolean;
  /** Whether the code is what the screen is for. */
  readonly isPrimary?: boolean;
}

/** What an owner can do with a coupon; while a deal holds it, why it cannot be changed. */
export function OwnerActions({ coupon, onEdit, onDelete, isQuiet, isPrimary }: OwnerActionsProps) {
  return (
    <>
      {isPersonal(coupon) && <Text className={classes.why}>{PERSONAL_USE}</Text>}
      {coupon.hasCode && <RedeemButton coupon={coupon} isPrimary={isPrimary} isCompact={isQuiet} />}
      {coupon.isReserved ? (
        <Text className={classes.why}>Part of a deal: it can be edited or deleted once that is over.</Text>
      ) : (
        <span className={classes.change} data-quiet={isQuiet || undefined}>
          <ActionIcon
            variant="default"
            size={36}
            radius="xl"
            aria-label={`Edit ${coupon.title}`}
            onClick={() => onEdit(coupon)}
          >
            <IconPencil size={18} aria-hidden="true" />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size={36}
            radius="xl"
            aria-label={`Delete ${coupon.title}`}
            onClick={() => onDelete(coupon)}
          >
            <IconTrash size={18} aria-hidden="true" />
          </ActionIcon>
        </span>
      )}
    </>
  );
}
