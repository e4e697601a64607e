import { Button } from '@mantine/core';
import { IconBellPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Filters } from '#contract/coupon-filters.ts';
import { paths } from '#contract/pages.ts';
import { isRestricted } from '#contract/roles.ts';
import { dialogOnDemand } from '#web/components/on-demand.tsx';
import { useOpener } from '#web/lib/use-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';

const WantDialog = dialogOnDemand(async () => (await import('./want-dialog.tsx')).WantDialog);

/** The address parameter of the dialog that a visitor returns to after signing in. */
const PARAMETER = 'want';

/**
 * Keeps a search: "Tell me when there is one". A visitor signs in first and returns to the open dialog.
 * @returns the button, and its dialog, which stays while the button changes its place with the results
 */
export function useWantButton(filters: Filters): { button: ReactNode; dialog: ReactNode } {
  const { user } = useViewer();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { isOpen, open, close } = useOpener(PARAMETER, { isReady: user !== null });
  if (user && isRestricted(user.status)) return { button: null, dialog: null };
  const press = () => {
    if (user) return open();
    const back = new URLSearchParams(search);
    back.set(PARAMETER, '1');
    void navigate(paths.authFrom(`${pathname}?${back}`));
  };
  return {
    button: (
      <Button
        variant="default"
        leftSection={<IconBellPlus size={18} aria-hidden="true" />}
        aria-haspopup="dialog"
        onClick={press}
      >
        Tell me when there is one
      </Button>
    ),
    dialog: <WantDialog filters={filters} opened={user !== null && isOpen} onClose={close} />,
  };
}
