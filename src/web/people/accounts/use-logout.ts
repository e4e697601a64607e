import { TEXTS } from '#contract/base/texts.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useBecomeVisitor } from './viewer-queries.ts';

/** Signs out, goes to the home page and shows a toast. */
export function useLogoutWithToast() {
  const { mutateAsync, isPending } = trpc.accounts.logout.useMutation({ onSuccess: useBecomeVisitor() });
  const logout = () =>
    mutateAsync().then(
      () => toasts.success(TEXTS.accounts.loggedOut(), TEXTS.accounts.loggedOutText()),
      (error) => toasts.failed(error, TEXTS.accounts.logoutFailed()),
    );
  return { logout: () => void logout(), isPending };
}
