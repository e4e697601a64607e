import { useNavigate } from 'react-router-dom';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useLogout } from './queries.ts';

/** Signs out, goes to the home page and shows a toast. */
export function useLogoutWithToast() {
  const navigate = useNavigate();
  const mutation = useLogout(() => navigate(paths.home));
  const logout = () =>
    mutation.mutateAsync().then(
      () => toasts.success(TEXTS.accounts.loggedOut, TEXTS.accounts.loggedOutText),
      (error) => toasts.failure(TEXTS.accounts.logoutFailed, writeErrorText(error, 'Please try again.')),
    );
  return { logout: () => void logout(), isPending: mutation.isPending };
}
