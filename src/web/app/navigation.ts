import type { SessionUser } from '#contract/accounts.ts';
import { PAGES, type PageName, paths } from '#contract/pages.ts';
import { hasRole, isRestricted } from '#contract/roles.ts';

export interface NavigationLink {
  readonly to: string;
  readonly label: string;
  /** How many unread messages the page has. */
  readonly unread?: number;
}

/** Links to pages, with the labels of the table of pages. */
export function linksTo(...names: PageName[]): NavigationLink[] {
  return names.map((name) => ({ to: PAGES[name].path, label: PAGES[name].label }));
}

/** For everybody, and first: they are shown before the viewer is known, and do not move afterwards. */
const EVERYBODY = linksTo('home', 'discover');
const VISITORS = linksTo('home', 'discover', 'validateCoupon', 'howItWorks');
/** The most used pages first: in a narrow bar the last ones go behind "More". */
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

/** The header's links (decisions 6.2). Until the viewer is known, the links that everybody has. */
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

/** Adds the unread count to the link to the messages. */
export function withUnread(links: readonly NavigationLink[], unread: number): readonly NavigationLink[] {
  return links.map((link) => (link.to === paths.messages ? { ...link, unread } : link));
}

const ACCOUNT_PAGES = [
  'profile',
  'wants',
  'matches',
  'profileSettings',
  'sellerOnboarding',
  'adminReports',
  'claims',
  'admin',
] as const satisfies readonly PageName[];

/**
 * The viewer's account pages: in the user menu, and in the drawer on small screens.
 * @param matches how many open matches the viewer has; their link says it
 */
export function accountLinksFor({ role, status }: SessionUser, matches = 0): NavigationLink[] {
  // What a suspended or banned moderator would be refused is not offered.
  const effective = isRestricted(status) ? 'user' : role;
  const open = ACCOUNT_PAGES.filter((name) => {
    const { access } = PAGES[name];
    return access === 'everybody' || hasRole(effective, access);
  });
  return linksTo(...open).map((link) =>
    matches > 0 && link.to === paths.matches ? { ...link, label: `${link.label} (${matches})` } : link,
  );
}
