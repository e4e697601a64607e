import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconBellPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import type { FilterValues } from '#contract/coupons/coupon-filters.ts';
import { isRestricted } from '#contract/people/roles.ts';
import { useAsMember } from '#web/lib/as-member.ts';
import { useDialogLink } from '#web/lib/dialog-link.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';

/** The address parameter of the dialog that a visitor returns to after signing in. */
const PARAMETER = 'want';

/** The button that keeps a search: "Alert me". A visitor signs in first and returns to the open dialog. */
export function useWantButton(filters: FilterValues): ReactNode {
  const { user } = useViewer();
  const asMember = useAsMember();
  const { pathname, search } = useLocation();
  const mayOpen = user !== null && !isRestricted(user.status);
  const open = () => openDialog('want', { filters });
  useDialogLink(PARAMETER, user !== null && (() => mayOpen && open()));
  if (user && !mayOpen) return null;
  const press = () => {
    const back = new URLSearchParams(search);
    back.set(PARAMETER, '1');
    asMember(open, `${pathname}?${back}`);
  };
  return (
    <Button
      variant="default"
      leftSection={<IconBellPlus size={18} aria-hidden="true" />}
      aria-haspopup="dialog"
      onClick={press}
    >
      <Trans>Alert me</Trans>
    </Button>
  );
}
