import { ActionIcon, Button } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { ReportedThing } from '#contract/moderation.ts';
import { paths } from '#contract/pages.ts';
import { useOpener } from '#web/lib/use-opener.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { ReportDialog } from './report-dialog.tsx';

/** In the address: which button's dialog a visitor comes back to. */
const PARAMETER = 'report';

interface ReportButtonProps {
  /** Who is reported; null where the person is gone. */
  readonly userId: number | null;
  readonly username: string;
  readonly relatedEntityType?: ReportedThing;
  readonly relatedEntityId?: number;
  /** A small flag instead of a word, where there is no room for one. */
  readonly isIcon?: boolean;
}

/**
 * Reports somebody to the moderators: the button and its dialog. Nobody reports themselves, so that nothing stands
 * there for oneself; a visitor signs in first, and comes back to the open dialog.
 */
export function ReportButton(props: ReportButtonProps) {
  const { userId, username, relatedEntityType, relatedEntityId, isIcon = false } = props;
  const { user } = useViewer();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();

  const key =
    relatedEntityType && relatedEntityId ? `${relatedEntityType}-${relatedEntityId}` : `user-${userId}`;
  const dialog = useOpener(PARAMETER, { value: key, isReady: user !== null });

  if (user && user.id === userId) return null;
  const press = () => {
    if (user) return dialog.open();
    const back = new URLSearchParams(search);
    back.set(PARAMETER, key);
    navigate(paths.authFrom(`${pathname}?${back}`));
  };
  return (
    <>
      {isIcon ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          radius="xl"
          title={`Report ${username}`}
          aria-label={`Report ${username}`}
          aria-haspopup="dialog"
          onClick={press}
        >
          <IconFlag size={20} aria-hidden="true" color="var(--mantine-color-text)" />
        </ActionIcon>
      ) : (
        <Button
          variant="default"
          leftSection={<IconFlag size={18} aria-hidden="true" />}
          aria-label={`Report ${username}`}
          aria-haspopup="dialog"
          onClick={press}
        >
          Report
        </Button>
      )}
      <ReportDialog
        userId={userId}
        username={username}
        relatedEntityType={relatedEntityType ?? null}
        relatedEntityId={relatedEntityId ?? null}
        opened={user !== null && dialog.isOpen}
        onClose={dialog.close}
      />
    </>
  );
}
