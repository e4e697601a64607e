import type { NavigateFunction } from 'react-router-dom';
import { paths } from '#contract/pages.ts';
import { SHELL_TEXTS } from '#contract/shell-texts.ts';
import { toasts } from '#web/lib/toasts.ts';

/** Sends a visitor who wants to bid to the sign-in page, and from there back to `comeBackTo`. */
export function askToLogIn(navigate: NavigateFunction, comeBackTo: string): void {
  toasts.neutral(SHELL_TEXTS.requests.logIn, SHELL_TEXTS.requests.logInToBid);
  navigate(paths.authFrom(comeBackTo));
}
