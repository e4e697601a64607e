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

/**
 * Empties the browser's database of codes, as a browser that needs the room leaves it. It does not use the clearing of
 * the developer tools, which sometimes never ends while a page has the database open.
 */
export function loseCodes(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('clipswap-codes');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const database = opening.result;
          const emptying = database.transaction('codes', 'readwrite');
          emptying.objectStore('codes').clear();
          emptying.onabort = () => reject(emptying.error);
          emptying.oncomplete = () => {
            database.close();
            resolve();
          };
        };
      }),
  );
}
