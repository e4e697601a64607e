import { IconFlag } from '@tabler/icons-react';
import { useLocation } from 'react-router-dom';
import type { ReportedThing } from '#contract/moderation.ts';
import { isRestricted } from '#contract/roles.ts';
import { ActionButton } from '#web/components/action-button.tsx';
import { useAsMember } from '#web/lib/as-member.ts';
import { useDialogLink } from '#web/lib/dialog-link.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { reportKey } from './report-key.ts';

/** The address parameter that names the dialog a visitor returns to after signing in. */
const PARAMETER = 'report';

interface ReportButtonProps {
  /** The reported person; null where the account is deleted. */
  readonly userId: number | null;
  readonly username: string;
  readonly relatedEntityType?: ReportedThing;
  readonly relatedEntityId?: number;
  /** A picture that the report can be about. */
  readonly pictureUrl?: string | null;
  /** Shows a small flag and no text. */
  readonly isIcon?: boolean;
}

/**
 * The button that reports a person to the moderators, with its dialog. Nothing is rendered for the viewer themselves
 * and for suspended and banned people.
 * A visitor signs in first and returns to the open dialog.
 */
export function ReportButton(props: ReportButtonProps) {
  const { userId, username, relatedEntityType, relatedEntityId, pictureUrl = null, isIcon = false } = props;
  const { user } = useViewer();
  const asMember = useAsMember();
  const { pathname, search } = useLocation();

  const key = reportKey(props);
  const open = () =>
    openDialog('report', {
      userId,
      username,
      relatedEntityType: relatedEntityType ?? null,
      relatedEntityId: relatedEntityId ?? null,
      pictureUrl,
    });
  const isRefused = user !== null && (user.id === userId || isRestricted(user.status));
  useDialogLink(PARAMETER, user !== null && (() => !isRefused && open()), key);

  if (isRefused) return null;
  const press = () => {
    const back = new URLSearchParams(search);
    back.set(PARAMETER, key);
    asMember(open, `${pathname}?${back}`);
  };
  return (
    <ActionButton
      icon={IconFlag}
      label="Report"
      name={`Report ${username}`}
      isIcon={isIcon}
      aria-haspopup="dialog"
      onClick={press}
    />
  );
}
