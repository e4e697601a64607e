import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { SHELL_TEXTS } from '#contract/base/shell-texts.ts';
import { toasts } from './toasts.ts';
import { useViewer } from './viewer.tsx';
import { hasSignedIn } from './viewer-storage.ts';

/**
 * Acts for members. A visitor is sent to sign in first, or to register, then to `comeBackTo`: an address that goes on with
 * it, such as one that opens the dialog. `reason` is told with it.
 */
export function useAsMember() {
  const isMember = useViewer().user !== null;
  const navigate = useNavigate();
  return useCallback(
    (act: () => unknown, comeBackTo: string, reason?: string) => {
      if (isMember) return void act();
      if (reason) toasts.neutral(SHELL_TEXTS.requests.logIn(), reason);
      void navigate(hasSignedIn() ? paths.authFrom(comeBackTo) : paths.registerFrom(comeBackTo));
    },
    [isMember, navigate],
  );
}
