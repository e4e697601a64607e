import type { NavigateFunction } from 'react-router-dom';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { toasts } from '#web/lib/toasts.ts';

/** A visitor wants to bid: they are told to sign in, sent there, and come back to where they were. */
export function askToLogIn(navigate: NavigateFunction, comeBackTo: string): void {
  toasts.neutral(TEXTS.bids.logIn, TEXTS.bids.logInText);
  navigate(paths.authFrom(comeBackTo));
}
