import { plural } from '@lingui/core/macro';
import { PAGES, type PageName, paths } from '#contract/base/pages.ts';
import type { SessionUser } from '#contract/people/accounts.ts';
import { hasRole, isRestricted } from '#contract/people/roles.ts';

/** What waits on a page: a number, and the words for it ('3 unread messages'). */
export interface Waiting {
  readonly count: number;
  readonly text: string;
}

export interface NavigationLink {
  readonly to: string;
  readonly label: string;
  readonly waiting?: Waiting;
}

/** Links to pages, with the labels of the table of pages. */
export function linksTo(...names: PageName[]): NavigationLink[] {
  return names.map((name) => ({ to: PAGES[name].path, label: PAGES[name].label() }));
}

/** For everybody, and first: they are shown before the viewer is known, and do not move afterwards. */
const EVERYBODY = linksTo('home', 'discover');
const VISITORS = linksTo('home', 'discover', 'validateCoupon', 'howItWorks');
/** The most used pages first: the bar has room for six, the others are behind "More". */
const MEMBERS = linksTo(
  'home',
  'discover',
  'myCoupons',
  'matches',
  'deals',
  'messages',
  'validateCoupon',
  'leaderboard',
  'transactionLogs',
  'howItWorks',
  // Views of the deals.
  'myBids',
  'exchanges',
  'profile',
);
/** What moderators and admins come for: first in their bar. */
const STAFF = ['admin', 'adminReports', 'claims'] as const satisfies readonly PageName[];

/** Other pages on which a link is marked: they are views of its own. */
const VIEWS: Readonly<Record<string, readonly string[]>> = { [paths.deals]: [paths.myBids, paths.exchanges] };

/** What marks a link as current: its page is on screen, or a view of it. */
export function currentAt(to: string, pathname: string): 'page' | undefined {
  return to === pathname || VIEWS[to]?.includes(pathname) ? 'page' : undefined;
}

/** The header's links (decisions 6.2). Until the viewer is known, the links that everybody has. */
export function navigationFor({
  user,
  isLoading,
}: {
  user: SessionUser | null;
  isLoading: boolean;
}): readonly NavigationLink[] {
  if (isLoading) return EVERYBODY;
  return user ? [...linksTo(...openTo(user, STAFF)), ...MEMBERS] : VISITORS;
}

/** Adds to the links how many unread messages, open matches and deals wait. */
export function withCounts(
  links: readonly NavigationLink[],
  { unread, matches, deals }: { unread: number; matches: number; deals: number },
): readonly NavigationLink[] {
  const waiting = new Map<string, Waiting>([
    [
      paths.messages,
      { count: unread, text: plural(unread, { one: '# unread message', other: '# unread messages' }) },
    ],
    [
      paths.matches,
      { count: matches, text: plural(matches, { one: '# open match', other: '# open matches' }) },
    ],
    [
      paths.deals,
      { count: deals, text: plural(deals, { one: '# deal needs you', other: '# deals need you' }) },
    ],
  ]);
  return links.map((link) => ({ ...link, waiting: waiting.get(link.to) }));
}

const ACCOUNT = [
  'profile',
  'wants',
  'profileSettings',
  'sellerOnboarding',
  'admin',
] as const satisfies readonly PageName[];

/** The pages that somebody may open. What a suspended or banned moderator would be refused is not offered. */
function openTo({ role, status }: SessionUser, names: readonly PageName[]): PageName[] {
  const effective = isRestricted(status) ? 'user' : role;
  return names.filter((name) => {
    const { access } = PAGES[name];
    return access === 'everybody' || hasRole(effective, access);
  });
}

/** The viewer's account pages, in the user menu. */
export function accountLinksFor(user: SessionUser): NavigationLink[] {
  return linksTo(...openTo(user, ACCOUNT));
}

/** The links of small screens' drawer: those of the header and of the user menu, each once. */
export function drawerLinksFor(
  user: SessionUser | null,
  links: readonly NavigationLink[],
): readonly NavigationLink[] {
  const known = new Set(links.map(({ to }) => to));
  return [...links, ...(user ? accountLinksFor(user) : []).filter(({ to }) => !known.has(to))];
}
