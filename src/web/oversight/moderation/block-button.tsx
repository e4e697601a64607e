import { t } from '@lingui/core/macro';
import { ActionIcon, Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';

interface BlockButtonProps {
  readonly userId: number;
  readonly username: string;
  readonly isBlocked: boolean;
  /** Shows a small sign and no text. */
  readonly isIcon?: boolean;
}

/** The button that blocks or unblocks a person, after it has asked. Only for members, and not for themselves. */
export function BlockButton({ userId, username, isBlocked, isIcon = false }: BlockButtonProps) {
  const { user } = useViewer();
  const block = trpc.blocks.add.useMutation();
  const unblock = trpc.blocks.remove.useMutation();
  if (!user || user.id === userId) return null;
  const label = isBlocked ? t`Unblock` : t`Block`;
  const name = isBlocked ? t`Unblock ${username}` : t`Block ${username}`;
  const ask = () =>
    openDialog('confirm', {
      title: isBlocked ? t`Unblock ${username}?` : t`Block ${username}?`,
      confirmLabel: label,
      ...(isBlocked
        ? {
            text: t`${username} can propose exchanges, bid and write to you again, and you see their coupons in lists.`,
            act: () => unblock.mutateAsync({ userId }),
            done: [t`${username} is unblocked`, t`You can deal with each other again.`],
            failed: [t`Not unblocked`],
          }
        : {
            text: t`${username} can no longer propose exchanges, bid or write to you, and you no longer see their coupons in lists. Your pending deals with each other end; accepted ones continue. We do not tell ${username}.`,
            isDangerous: true,
            act: () => block.mutateAsync({ userId }),
            done: [t`${username} is blocked`, t`You can undo it in your settings.`],
            failed: [t`Not blocked`],
          }),
    });
  const opener = { 'aria-label': name, 'aria-haspopup': 'dialog', onClick: ask } as const;
  return isIcon ? (
    <ActionIcon variant="default" size={40} radius="xl" title={name} {...opener}>
      <IconBan size={20} aria-hidden="true" />
    </ActionIcon>
  ) : (
    <Button variant="default" leftSection={<IconBan size={18} aria-hidden="true" />} {...opener}>
      {label}
    </Button>
  );
}
