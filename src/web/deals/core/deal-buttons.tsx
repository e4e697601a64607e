import { Trans } from '@lingui/react/macro';
import { Button, type ButtonProps } from '@mantine/core';
import type { DealType } from '#contract/deals/deals.ts';
import { openDialog } from '#web/lib/open-dialog.ts';

/** The id of the list, which takes the focus when a row is gone. */
export const DEAL_LIST_ID = 'deal-list';
/** The id of the text that takes the focus when an action has removed the pressed button. */
export const NEXT_STEP_ID = 'deal-next-step';

/** The id of the button that opens a deal's details. */
export function detailsButtonId(id: number): string {
  return `deal-${id}-details`;
}

/** The ids of what may take the focus after an action on a deal. */
export function focusAfterAct(id: number): string[] {
  return [NEXT_STEP_ID, detailsButtonId(id), DEAL_LIST_ID];
}

/** The look of an action's button: one that moves the deal on is filled in the details, light in a list. */
export function actLook(movesOn: boolean, isMain: boolean): Pick<ButtonProps, 'variant' | 'c'> {
  if (!movesOn) return { variant: 'default' };
  return isMain ? { variant: 'filled' } : { variant: 'light', c: 'var(--mantine-color-anchor)' };
}

interface DealButtonProps extends Pick<ButtonProps, 'size'> {
  /** For screen readers: 'Messages of bid #3 on Tea'. */
  readonly label: string;
}

interface MessagesButtonProps extends DealButtonProps {
  readonly dealType: DealType;
  readonly dealId: number;
}

interface DetailsButtonProps extends DealButtonProps {
  readonly dealId: number;
  readonly onOpen: () => void;
}

/** Opens the messages of the parties. */
export function MessagesButton({ label, size, ...deal }: MessagesButtonProps) {
  return (
    <Button
      size={size}
      variant="default"
      aria-haspopup="dialog"
      aria-label={label}
      onClick={() => openDialog('messages', { deal })}
    >
      <Trans>Messages</Trans>
    </Button>
  );
}

/** Opens the details of a deal in a list. */
export function DetailsButton({ dealId, label, size, onOpen }: DetailsButtonProps) {
  return (
    <Button
      id={detailsButtonId(dealId)}
      size={size}
      variant="default"
      aria-haspopup="dialog"
      aria-label={label}
      onClick={onOpen}
    >
      <Trans>Details</Trans>
    </Button>
  );
}
