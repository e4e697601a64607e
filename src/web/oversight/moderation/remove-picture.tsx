import { t } from '@lingui/core/macro';
import { IconPhotoOff } from '@tabler/icons-react';
import { hasRole } from '#contract/people/roles.ts';
import { type Action, ActionButton } from '#web/components/action-button.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';

interface RemovePictureProps {
  /** The address of the picture; null: there is none. */
  readonly url: string | null;
  /** Whose it is. */
  readonly username: string;
}

/** Moderators remove a picture with it, after they have said why. Null for others. */
export function useRemovePicture({ url, username }: RemovePictureProps): Action | null {
  const { user } = useViewer();
  if (url === null || !user || !hasRole(user.role, 'moderator') || user.username === username) return null;
  return {
    icon: IconPhotoOff,
    label: t`Remove picture`,
    name: t`Remove picture`,
    'aria-haspopup': 'dialog',
    onClick: () => openDialog('removePicture', { url, username }),
  };
}

/** The button of `useRemovePicture`. */
export function RemovePicture(props: RemovePictureProps) {
  const action = useRemovePicture(props);
  return action && <ActionButton {...action} />;
}
