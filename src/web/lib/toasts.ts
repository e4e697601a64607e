import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { writeErrorText } from './errors.ts';
import { keepForNextPage, takeFromLastPage } from './storage.ts';

type Tone = 'success' | 'failure' | 'neutral';

const COLORS: Record<Tone, string> = { success: 'teal', failure: 'red', neutral: 'gray' };

/** How long a toast is shown. */
export const TOAST_MS = 5_000;

export interface Toast {
  readonly title: string;
  readonly message: ReactNode;
  readonly color: string;
  readonly role: 'alert' | 'status';
}

let show: ((toast: Toast) => void) | null = null;
/** The newest toast of before there was anything to show it: pages come to life from the inside. */
let early: Toast | null = null;

const NEXT_PAGE_KEY = 'clipswap.toast';

function toastOf(tone: Tone, title: string, message: ReactNode): Toast {
  return { title, message, color: COLORS[tone], role: tone === 'failure' ? 'alert' : 'status' };
}

/** Keeps a toast of success for the page that is about to be loaded. */
export function keepToast(title: string, message: string): void {
  keepForNextPage(NEXT_PAGE_KEY, toastOf('success', title, message));
}

/** Sets what shows the toasts. @returns a function that takes it back */
export function setToaster(given: (toast: Toast) => void): () => void {
  show = given;
  early ??= takeFromLastPage(NEXT_PAGE_KEY);
  if (early) given(early);
  early = null;
  return () => {
    if (show === given) show = null;
  };
}

/** Shows a toast for five seconds and removes the one before (spec/1 section 1). */
function toast(tone: Tone, title: string, message: ReactNode = ''): void {
  const given = toastOf(tone, title, message);
  if (show) show(given);
  else early = given;
}

export const toasts = {
  success: (title: string, message?: ReactNode) => toast('success', title, message),
  failure: (title: string, message?: ReactNode) => toast('failure', title, message),
  neutral: (title: string, message?: ReactNode) => toast('neutral', title, message),
  /** Says what failed, and why as far as the server says it. */
  failed: (error: unknown, title: string, fallback = t`Please try again.`) =>
    toast('failure', title, writeErrorText(error, fallback)),
};
