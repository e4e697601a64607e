import type { Location } from 'react-router-dom';
import { withStorage } from './storage.ts';

/** Under which the router stores them in the tab. */
export const SCROLL_POSITIONS = 'clipswap.scroll-positions';

/** Names the entry of the history that this document began with, also after a reload. */
function firstEntry(): string {
  const { visit = String(performance.timeOrigin), ...state } = window.history.state ?? {};
  window.history.replaceState({ ...state, visit }, '');
  return visit;
}

const FIRST_ENTRY = globalThis.document ? firstEntry() : '';

/**
 * The entry whose scroll position is stored. React Router calls the first entry of every document 'default': a
 * newly opened address would otherwise start at the scroll position of another page.
 */
export function entryKey({ key }: Pick<Location, 'key'>): string {
  return key === 'default' ? (window.history.state?.visit ?? FIRST_ENTRY) : key;
}

/** Scrolls a page that the server has rendered to where it was before a reload; the router does it for others. */
export function restoreScroll(): void {
  withStorage('sessionStorage', (storage) => {
    const y: unknown = JSON.parse(storage.getItem(SCROLL_POSITIONS) ?? '{}')[entryKey({ key: 'default' })];
    if (typeof y === 'number') window.scrollTo(0, y);
  });
}
