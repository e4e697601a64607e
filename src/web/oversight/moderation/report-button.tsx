import { t } from '@lingui/core/macro';
import { IconFlag } from '@tabler/icons-react';
import { useLocation } from 'react-router-dom';
import type { ReportedThing } from '#contract/oversight/moderation.ts';
import { isRestricted } from '#contract/people/roles.ts';
import { type Action, ActionButton } from '#web/components/action-button.tsx';
import { useAsMember } from '#web/lib/as-member.ts';
import { useDialogLink } from '#web/lib/dialog-link.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { reportKey } from './report-key.ts';

/** The address parameter that names the dialog a visitor returns to after signing in. */
const PARAMETER = 'report';

interface ReportProps {
  /** The reported person; null where the account is deleted. */
  readonly userId: number | null;
  readonly username: string;
  readonly relatedEntityType?: ReportedThing;
  readonly relatedEntityId?: number;
  /** A picture that the report can be about. */
  readonly pictureUrl?: string | null;
}

/**
 * Reports a person to the moderators, in a dialog. Null for the person themselves, and for suspended and banned people. A
 * visitor signs in first and returns to the open dialog.
 */
export function useReport(props: ReportProps): Action | null {
  const { userId, username, relatedEntityType, relatedEntityId, pictureUrl = null } = props;
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
  return {
    icon: IconFlag,
    label: t`Report`,
    name: t`Report ${username}`,
    'aria-haspopup': 'dialog',
    onClick: press,
  };
}

/** The button of `useReport`: with its text, or a small flag alone. */
export function ReportButton({ isIcon, ...props }: ReportProps & { readonly isIcon?: boolean }) {
  const action = useReport(props);
  return action && <ActionButton {...action} isIcon={isIcon} />;
}
