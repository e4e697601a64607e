import { withStorage } from './storage.ts';

/*
 * What was typed in a dialog is stored in the tab's `sessionStorage`, so that a reload, or Back by mistake, loses nothing.
 * Secrets are left out: browsers write this storage to the disk to restore tabs. What was looked at is stored in
 * `localStorage`, for all tabs and the next visit.
 */

const PREFIX = 'clipswap.typed.';

export const keyOf = (userId: number | undefined, name: string) => `${PREFIX}${userId}.${name}`;

type Within = <Result>(act: (storage: Storage) => Result) => Result | undefined;

export const withTyped: Within = (act) => withStorage('sessionStorage', act);
export const withSeen: Within = (act) => withStorage('localStorage', act);

/** What was typed in a form; null for nothing. */
export function readTyped<Values>(key: string): Partial<Values> | null {
  return withTyped((storage) => JSON.parse(storage.getItem(key) ?? 'null')) ?? null;
}

/** The values of a short list, the newest first. */
export function readNewest<Value>(within: Within, key: string): readonly Value[] {
  return within((storage) => JSON.parse(storage.getItem(key) ?? '[]')) ?? [];
}

/** Replaces a short list by the first `max` of these values. */
export function storeNewest<Value>(within: Within, key: string, values: readonly Value[], max: number): void {
  within((storage) => storage.setItem(key, JSON.stringify(values.slice(0, max))));
}

/** Where `cached-answers.ts` stores the last answers. */
export const ANSWERS_KEY = 'clipswap.answers';

/**
 * At the sign-in and the sign-out: forgets what everybody but this person has typed in this tab and has looked at in this
 * browser, and the last answers.
 */
export function forgetOthers(userId: number | undefined): void {
  withSeen((storage) => storage.removeItem(ANSWERS_KEY));
  for (const within of [withTyped, withSeen])
    within((storage) => {
      for (const key of Object.keys(storage))
        if (key.startsWith(PREFIX) && !key.startsWith(keyOf(userId, ''))) storage.removeItem(key);
    });
}

const ACCOUNT_KEY = 'clipswap.account';

/** Whether somebody has signed in with this browser: else a visitor is taken for somebody new. */
export function hasSignedIn(): boolean {
  return withSeen((storage) => storage.getItem(ACCOUNT_KEY)) != null;
}

export function noteSignIn(): void {
  withSeen((storage) => storage.setItem(ACCOUNT_KEY, 'yes'));
}

const OFFLINE_CODES_KEY = 'clipswap.codes';

/** Whether `offline-codes.ts` has codes in this browser, whoever they are of; asks no database. */
export function hasOfflineCodes(): boolean {
  return withSeen((storage) => storage.getItem(OFFLINE_CODES_KEY)) != null;
}

export function noteOfflineCodes(isOn: boolean): void {
  withSeen((storage) =>
    isOn ? storage.setItem(OFFLINE_CODES_KEY, 'yes') : storage.removeItem(OFFLINE_CODES_KEY),
  );
}
