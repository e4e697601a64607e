import { withStorage } from './storage.ts';

/*
 * What was typed in a dialog is kept in the tab's `sessionStorage`, so that a reload, or Back by mistake, loses nothing.
 * Secrets are left out: browsers write this storage to the disk to restore tabs.
 */

const PREFIX = 'clipswap.typed.';

export const keyOf = (userId: number | undefined, name: string) => `${PREFIX}${userId}.${name}`;

export const withTyped = <Result>(act: (storage: Storage) => Result) => withStorage('sessionStorage', act);

/** What was typed in a form; null for nothing. */
export function readTyped<Values>(key: string): Partial<Values> | null {
  return withTyped((storage) => JSON.parse(storage.getItem(key) ?? 'null')) ?? null;
}

/** Forgets what everybody but this person has typed in this tab. */
export function forgetTypedByOthers(userId: number | undefined): void {
  withTyped((storage) => {
    for (const key of Object.keys(storage))
      if (key.startsWith(PREFIX) && !key.startsWith(keyOf(userId, ''))) storage.removeItem(key);
  });
}
