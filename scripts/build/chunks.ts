import type { Rolldown } from 'vite';

/** The modules of the web application at these paths. */
const web = (paths: string) =>
  new RegExp(`[\\\\/]src[\\\\/]web[\\\\/](${paths.replaceAll('/', '[\\\\/]')})\\.tsx?$`);

/** Parts of the frame and of Home that come after the first coupon. They need little else. */
const LATE_PARTS = [
  'app/(bottom-bar|last-seen)',
  'components/(page-numbers|search-suggestions)',
  'coupons/search/(filters|recently-viewed|search-help)',
  'deals/matches/home-invitation',
  'lib/(cached-answers|translated-texts)',
].join('|');

/** What opens dialogs and menus, and sends their forms. */
const DIALOGS = [
  'app/(dialogs|theme-menu|user-menu-items)',
  'components/(confirm|dialog|dialog-host|opened-action-menu|opened-menu)',
  'lib/use-send-form',
].join('|');

/** The room of a module, as in `deals-bids`; null for one outside of rooms. */
function roomOf(file: string): string | null {
  const [, floor, room] =
    /[\\/]src[\\/]web[\\/](coupons|deals|money|oversight|people)[\\/]([\w-]+)[\\/]/.exec(file) ?? [];
  return room === undefined ? null : `${floor}-${room}`;
}

/**
 * Which modules share a file, in this order: a group takes what its modules need and no group before it has. A page or a
 * dialog that is in no group has a file of its own, with what nothing else needs.
 */
export const CHUNKS: Rolldown.CodeSplittingGroup[] = [
  {
    // A release of ours leaves these as they are in people's caches.
    name: 'vendor',
    tags: ['$initial'],
    test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|@tanstack|@trpc)[\\/]/,
  },
  { name: 'shell', tags: ['$initial'] },
  { name: 'late-parts', test: web(LATE_PARTS) },
  // Search engines and links that people share lead here: one file.
  { name: 'coupon', test: web('pages/coupon') },
  // Members need its neighbours on every page.
  { name: 'my-coupons', test: web('app/live-connection|lib/touches|pages/my-coupons') },
  { name: 'home-rows', test: web('pages/home-rows') },
  { name: 'dialog', test: web(DIALOGS) },
  {
    name: 'kit',
    test: /[\\/](node_modules|src[\\/]contract|src[\\/]web[\\/](components|lib))[\\/]/,
    minShareCount: 4,
  },
  { name: roomOf, minShareCount: 2 },
];
