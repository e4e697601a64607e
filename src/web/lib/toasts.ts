import type { ReactNode } from 'react';
import { withStorage } from './storage.ts';

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

/** Where a toast waits in the tab's storage for the page that is being loaded. */
export const KEPT_TOAST = 'clipswap.toast';

function takeKept(storage: Storage): Toast | null {
  const kept = storage.getItem(KEPT_TOAST);
  storage.removeItem(KEPT_TOAST);
  return kept && JSON.parse(kept);
}

/** Sets what shows the toasts. @returns a function that takes it back */
export function setToaster(given: (toast: Toast) => void): () => void {
  show = given;
  early ??= withStorage('sessionStorage', takeKept) ?? null;
  if (early) given(early);
  early = null;
  return () => {
    if (show === given) show = null;
  };
}

/** Shows a toast for five seconds and removes the one before (spec/1 section 1). */
function toast(tone: Tone, title: string, message: ReactNode = ''): void {
  const given: Toast = { title, message, color: COLORS[tone], role: tone === 'failure' ? 'alert' : 'status' };
  if (show) show(given);
  else early = given;
}

export const toasts = {
  success: (title: string, message?: ReactNode) => toast('success', title, message),
  failure: (title: string, message?: ReactNode) => toast('failure', title, message),
  neutral: (title: string, message?: ReactNode) => toast('neutral', title, message),
};
