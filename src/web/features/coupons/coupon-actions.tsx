import { ActionIcon, Button, Text } from '@mantine/core';
import {
  IconArrowsLeftRight,
  IconCoin,
  IconLink,
  IconPencil,
  IconShieldCheck,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Coupon } from '#contract/coupons.ts';
import { paths } from '#contract/pages.ts';
import { copyText } from '#web/lib/clipboard.ts';
import { toasts } from '#web/lib/toasts.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import classes from './coupon-actions.module.css';
import { RedeemButton } from './redeem-button.tsx';
import { SavedToggle } from './saved-toggle.tsx';
import { dealObstacle, isPersonal, PERSONAL_USE } from './wording.ts';

interface DealActionsProps {
  readonly coupon: Coupon;
  readonly onExchange: (coupon: Coupon) => void;
  readonly onBid: (coupon: Coupon) => void;
  readonly onValidate: (coupon: Coupon) => void;
  /** On the coupon's own page: larger buttons with icons. */
  readonly isPrimary?: boolean;
  /** Replaces the save button in lists. */
  readonly instead?: ReactNode;
  /** The button that reports the owner. It belongs to another feature. */
  readonly report?: ReactNode;
}

/** Padding that fits two buttons side by side on the narrowest ticket, in pixels. */
const NARROW = 14;

/** Actions on another user's coupon: exchange, bid, validate, save and report; or why no deal is possible. */
export function DealActions(props: DealActionsProps) {
  const { coupon, onExchange, onBid, onValidate, isPrimary, instead, report } = props;
  const obstacle = dealObstacle(coupon);
  const save = <SavedToggle coupon={coupon} isLabelled={isPrimary} />;
  const validate = coupon.hasCode && (
    <ValidateButton coupon={coupon} isLabelled={isPrimary} onClick={() => onValidate(coupon)} />
  );
  return (
    <>
      {obstacle === null ? (
        <ActiveOnly>
          {coupon.isOpenToOffers && (
            <Button
              variant={isPrimary ? 'filled' : 'default'}
              px={isPrimary ? undefined : NARROW}
              leftSection={isPrimary && <IconArrowsLeftRight size={18} aria-hidden="true" />}
              onClick={() => onExchange(coupon)}
            >
              Exchange
            </Button>
          )}
          <Button
            variant="default"
            px={isPrimary ? undefined : NARROW}
            leftSection={isPrimary && <IconCoin size={18} aria-hidden="true" />}
            onClick={() => onBid(coupon)}
          >
            Bid
          </Button>
        </ActiveOnly>
      ) : (
        <Text size="sm" c="dimmed" py={7}>
          {obstacle}
        </Text>
      )}
      {isPrimary ? (
        <>
          {save}
          {validate}
          {report}
        </>
      ) : (
        <span data-side>
          {instead ?? save}
          {validate}
          {report}
        </span>
      )}
    </>
  );
}

interface ValidateButtonProps {
  readonly coupon: Coupon;
  readonly isLabelled: boolean | undefined;
  readonly onClick: () => void;
}

function ValidateButton({ coupon, isLabelled, onClick }: ValidateButtonProps) {
  if (isLabelled) {
    return (
      <Button
        variant="default"
        leftSection={<IconShieldCheck size={18} aria-hidden="true" />}
        onClick={onClick}
      >
        Validate
      </Button>
    );
  }
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      title="Validate the code"
      size={36}
      radius="xl"
      aria-label={`Validate ${coupon.title}`}
      onClick={onClick}
    >
      <IconShieldCheck size={20} aria-hidden="true" color="var(--mantine-color-text)" />
    </ActionIcon>
  );
}

interface OwnerActionsProps {
  readonly coupon: Coupon;
  readonly onEdit: (coupon: Coupon) => void;
  readonly onDelete: (coupon: Coupon) => void;
  /** Shows edit and delete on hover only; touch screens and the keyboard always have them. */
  readonly isQuiet?: boolean;
  /** Shows the code as the main action. */
  readonly isPrimary?: boolean;
}

/** Actions on an own coupon; while a deal reserves it, the reason why it cannot be changed. */
export function OwnerActions({ coupon, onEdit, onDelete, isQuiet, isPrimary }: OwnerActionsProps) {
  return (
    <>
      {isPersonal(coupon) && <Text className={classes.why}>{PERSONAL_USE}</Text>}
      {coupon.hasCode && <RedeemButton coupon={coupon} isPrimary={isPrimary} isCompact={isQuiet} />}
      {coupon.isReserved ? (
        <Text className={classes.why}>Part of a deal: it can be edited or deleted once that is over.</Text>
      ) : (
        <ActiveOnly>
          {!coupon.hasCode && (
            <Button
              variant={isPrimary ? 'filled' : 'default'}
              px={isQuiet ? 12 : undefined}
              onClick={() => onEdit(coupon)}
            >
              Add the code
            </Button>
          )}
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
        </ActiveOnly>
      )}
    </>
  );
}

export function CopyLinkButton({ id }: { id: number }) {
  const copy = async () => {
    const link = new URL(paths.coupon(id), window.location.origin).href;
    if (await copyText(link)) toasts.success('Link copied', 'Send it to whoever might like this coupon.');
    else toasts.failure('The link was not copied', link);
  };
  return (
    <Button variant="default" leftSection={<IconLink size={18} aria-hidden="true" />} onClick={copy}>
      Copy link
    </Button>
  );
}
