import { ConfirmDialog } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { useBlock, useUnblock } from './queries.ts';

/** The person to block or unblock. */
export interface Blockable {
  readonly userId: number;
  readonly username: string;
  readonly isBlocked: boolean;
}

interface BlockDialogProps extends Blockable {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Says what a block does, or its end, and asks for confirmation. */
export function BlockDialog({ userId, username, isBlocked, opened, onClose }: BlockDialogProps) {
  const block = useBlock();
  const unblock = useUnblock();
  const act = isBlocked ? unblock : block;
  const confirm = () =>
    act.mutate(
      { userId },
      dialogAnswers({
        onClose,
        done: () =>
          isBlocked
            ? [`${username} is unblocked`, 'You can deal with each other again.']
            : [`${username} is blocked`, 'You can undo it in your settings.'],
        failedTitle: isBlocked ? 'Not unblocked' : 'Not blocked',
      }),
    );
  return (
    <ConfirmDialog
      opened={opened}
      title={isBlocked ? `Unblock ${username}?` : `Block ${username}?`}
      confirmLabel={isBlocked ? 'Unblock' : 'Block'}
      isDangerous={!isBlocked}
      isPending={act.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      {isBlocked
        ? `${username} can propose, bid and write to you again, and you see their coupons in lists.`
        : `${username} can no longer propose, bid or write to you, and you no longer see their coupons in lists. Your pending deals with each other end; accepted ones go on. ${username} does not learn of it.`}
    </ConfirmDialog>
  );
}
