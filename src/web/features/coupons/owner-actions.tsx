import { ActionIcon, Button, Text } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconPencil, IconTrash } from '@tabler/icons-react';
import type { Coupon } from '#contract/coupons.ts';
import { TEXTS } from '#contract/texts.ts';
import type { Action } from '#web/components/action-button.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import classes from './owner-actions.module.css';
import { useRemoveCoupon } from './queries.ts';
import { RedeemButton } from './redeem-button.tsx';
import { useMarkUsed } from './used.tsx';
import { dealObstacle, isPersonal, mayUndoUse } from './wording.ts';

interface OwnerActionsProps {
  readonly coupon: Coupon;
  readonly onDeleted: (coupon: Coupon) => void;
  /** Shows the rarer actions as icons, on hover only; touch screens and the keyboard always have them. */
  readonly isQuiet?: boolean;
  /** Shows the code as the main action. */
  readonly isPrimary?: boolean;
}

/** Actions on an own coupon; why others do not see it, or while a deal reserves it, why it cannot be changed. */
export function OwnerActions({ coupon, onDeleted, isQuiet, isPrimary }: OwnerActionsProps) {
  const removal = useRemoveCoupon();
  const { marking, undoing } = useMarkUsed();
  const { id, title, usedAt } = coupon;
  const edit = () => openDialog('coupon', { coupon });
  const askToDelete = () =>
    openDialog('confirm', {
      title: 'Delete this coupon?',
      text: `This deletes “${title}” and its code, and cancels all pending requests and bids on it.`,
      confirmLabel: 'Delete coupon',
      pendingLabel: 'Deleting…',
      isDangerous: true,
      act: async () => {
        await removal.mutateAsync({ id });
        onDeleted(coupon);
      },
      done: ['Coupon deleted', `“${title}” is no longer listed.`],
      failed: ['Coupon not deleted', TEXTS.coupons.deleteFailed()],
    });
  // One button, so that it keeps the focus.
  const use =
    usedAt === null
      ? { icon: IconCheck, label: 'Mark as used', onClick: () => marking.mutate({ id }) }
      : { icon: IconArrowBackUp, label: 'Undo', onClick: () => undoing.mutate({ id }) };
  const useName = usedAt === null ? `Mark ${title} as used` : `Undo that ${title} is used`;
  const hasUse = usedAt === null || mayUndoUse(usedAt);
  return (
    <>
      {(isPersonal(coupon) || coupon.isWaiting) && (
        <Text className={classes.why}>{dealObstacle(coupon)}</Text>
      )}
      {coupon.hasCode && (
        <RedeemButton coupon={coupon} isPrimary={isPrimary && usedAt === null} isCompact={isQuiet} />
      )}
      {coupon.isReserved ? (
        <Text className={classes.why}>Part of a deal: you can edit or delete it when the deal is over.</Text>
      ) : (
        <ActiveOnly>
          {!coupon.hasCode && usedAt === null && (
            <Button variant={isPrimary ? 'filled' : 'default'} px={isQuiet ? 12 : undefined} onClick={edit}>
              Add the code
            </Button>
          )}
          {hasUse && !isQuiet && (
            <Button
              variant="default"
              leftSection={<use.icon size={18} aria-hidden="true" />}
              onClick={use.onClick}
            >
              {use.label}
            </Button>
          )}
          <span
            className={classes.change}
            data-quiet={(isQuiet && usedAt === null) || undefined}
            data-side={isQuiet || undefined}
          >
            {hasUse && isQuiet && <Icon {...use} name={useName} />}
            {usedAt === null && <Icon icon={IconPencil} name={`Edit ${title}`} label="Edit" onClick={edit} />}
            <Icon icon={IconTrash} name={`Delete ${title}`} label="Delete" onClick={askToDelete} />
          </span>
        </ActiveOnly>
      )}
    </>
  );
}

function Icon({ icon: Drawing, label, name, onClick }: Action) {
  return (
    <ActionIcon variant="default" size={36} radius="xl" title={label} aria-label={name} onClick={onClick}>
      <Drawing size={18} aria-hidden="true" />
    </ActionIcon>
  );
}
