import { Button } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { hasRole } from '#contract/roles.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';

interface RemovePictureProps {
  /** The address of the picture; null: there is none. */
  readonly url: string | null;
  /** Whose it is. */
  readonly username: string;
}

/** Moderators remove a picture with it, after they have said why. Nothing is rendered for others. */
export function RemovePicture({ url, username }: RemovePictureProps) {
  const { user } = useViewer();
  if (url === null || !user || !hasRole(user.role, 'moderator') || user.username === username) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconPhotoOff size={18} aria-hidden="true" />}
      aria-haspopup="dialog"
      onClick={() => openDialog('removePicture', { url, username })}
    >
      Remove picture
    </Button>
  );
}
