import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Text } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconPencil, IconTrash } from '@tabler/icons-react';
import { TEXTS } from '#contract/base/texts.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { Action } from '#web/components/action-button.tsx';
import { RedeemButton } from '#web/coupons/codes/redeem-button.tsx';
import { useRemoveCoupon } from '#web/coupons/core/queries.ts';
import { dealObstacle, isPersonal, mayUndoUse } from '#web/coupons/core/wording.ts';
import { useMarkUsed } from '#web/coupons/using/used.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import classes from './owner-actions.module.css';

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
      title: t`Delete this coupon?`,
      text: t`This deletes “${title}” and its code, and cancels all pending requests and bids on it.`,
      confirmLabel: t`Delete coupon`,
      pendingLabel: t`Deleting…`,
      isDangerous: true,
      act: async () => {
        await removal.mutateAsync({ id });
        onDeleted(coupon);
      },
      done: [t`Coupon deleted`, t`“${title}” is no longer listed.`],
      failed: [t`Coupon not deleted`, TEXTS.coupons.deleteFailed()],
    });
  // One button, so that it keeps the focus.
  const use =
    usedAt === null
      ? { icon: IconCheck, label: t`Mark as used`, onClick: () => marking.mutate({ id }) }
      : { icon: IconArrowBackUp, label: t`Undo`, onClick: () => undoing.mutate({ id }) };
  const useName = usedAt === null ? t`Mark ${title} as used` : t`Undo that ${title} is used`;
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
        <Text className={classes.why}>
          <Trans>Part of a deal: you can edit or delete it when the deal is over.</Trans>
        </Text>
      ) : (
        <ActiveOnly>
          {!coupon.hasCode && usedAt === null && (
            <Button variant={isPrimary ? 'filled' : 'default'} px={isQuiet ? 12 : undefined} onClick={edit}>
              <Trans>Add the code</Trans>
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
            {usedAt === null && (
              <Icon icon={IconPencil} name={t`Edit ${title}`} label={t`Edit`} onClick={edit} />
            )}
            <Icon icon={IconTrash} name={t`Delete ${title}`} label={t`Delete`} onClick={askToDelete} />
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
