import type { SessionUser } from '#contract/accounts.ts';
import { PAGES, type PageName, paths } from '#contract/pages.ts';

export interface NavigationLink {
  readonly to: string;
  readonly label: string;
  /** How many messages wait behind it unread. */
  readonly unread?: number;
}

/** Links to pages, called as the table of pages calls them. */
export function linksTo(...names: PageName[]): NavigationLink[] {
  return names.map((name) => ({ to: PAGES[name].path, label: PAGES[name].label }));
}

/** There for everybody, and first: they stand before it is known who is looking, and stay where they are then. */
const EVERYBODY = linksTo('home', 'discover');
const VISITORS = linksTo('home', 'discover', 'validateCoupon', 'howItWorks');
/** What is used most stands first: where the bar is narrow, the last ones go behind "More". */
const MEMBERS = linksTo(
  'home',
  'discover',
  'myCoupons',
  'myBids',
  'exchanges',
  'messages',
  'validateCoupon',
  'leaderboard',
  'transactionLogs',
  'howItWorks',
);

/** The pages that the header leads to (decisions 6.2). Until it is known who is looking, those that are there anyway. */
export function navigationFor({
  user,
  isLoading,
}: {
  user: SessionUser | null;
  isLoading: boolean;
}): readonly NavigationLink[] {
  if (isLoading) return EVERYBODY;
  return user ? MEMBERS : VISITORS;
}

/** The links, with how many messages wait unread behind the one that leads to them. */
export function withUnread(links: readonly NavigationLink[], unread: number): readonly NavigationLink[] {
  return links.map((link) => (link.to === paths.messages ? { ...link, unread } : link));
}

/** The pages of one's own account: in the menu behind one's picture, and in the drawer on small screens. */
export function accountLinksFor({ role }: SessionUser): NavigationLink[] {
  return [
    ...linksTo('profile', 'profileSettings', 'sellerOnboarding'),
    ...(role === 'user' ? [] : linksTo('adminReports', 'claims')),
    ...(role === 'admin' ? linksTo('admin') : []),
  ];
}
