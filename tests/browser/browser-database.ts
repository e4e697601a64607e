import type { Page } from 'playwright-core';

/** The names of all that the browser's database of codes has; it makes no database. */
export function stored(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open('clipswap-codes');
        // There is none yet, and this makes none.
        opening.onupgradeneeded = () => opening.transaction?.abort();
        opening.onerror = () => resolve([]);
        opening.onsuccess = () => {
          const database = opening.result;
          if (!database.objectStoreNames.contains('codes')) return resolve([]);
          const names = database.transaction('codes').objectStore('codes').getAllKeys();
          names.onsuccess = () => {
            database.close();
            resolve(names.result.map(String));
          };
        };
      }),
  );
}
