import { ActionIcon, Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { dialogOnDemand } from '#web/components/on-demand.tsx';
import { useViewer } from '#web/lib/viewer.tsx';
import type { Blockable } from './block-dialog.tsx';

const BlockDialog = dialogOnDemand(async () => (await import('./block-dialog.tsx')).BlockDialog);

interface BlockButtonProps extends Blockable {
  /** Shows a small sign and no text. */
  readonly isIcon?: boolean;
}

/** The button that blocks or unblocks a person, with its dialog. Only for members, and not for themselves. */
export function BlockButton({ isIcon = false, ...person }: BlockButtonProps) {
  const { user } = useViewer();
  const [isOpen, setIsOpen] = useState(false);
  if (!user || user.id === person.userId) return null;
  const verb = person.isBlocked ? 'Unblock' : 'Block';
  const name = `${verb} ${person.username}`;
  const dialog = { 'aria-label': name, 'aria-haspopup': 'dialog', onClick: () => setIsOpen(true) } as const;
  return (
    <>
      {isIcon ? (
        <ActionIcon variant="default" size={40} radius="xl" title={name} {...dialog}>
          <IconBan size={20} aria-hidden="true" />
        </ActionIcon>
      ) : (
        <Button variant="default" leftSection={<IconBan size={18} aria-hidden="true" />} {...dialog}>
          {verb}
        </Button>
      )}
      <BlockDialog {...person} opened={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}
