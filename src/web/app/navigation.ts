import type { SessionUser } from '#contract/accounts.ts';
import { paths } from '#web/lib/paths.ts';

export interface NavigationLink {
  readonly to: string;
  readonly label: string;
  /** How many messages wait behind it unread. */
  readonly unread?: number;
}

/** There for everybody, and first: they stand before it is known who is looking, and stay where they are then. */
const EVERYBODY: readonly NavigationLink[] = [
  { to: paths.home, label: 'Explore' },
  { to: paths.discover, label: 'Discover' },
];
const VALIDATE: NavigationLink = { to: paths.validateCoupon, label: 'Validate' };
const HOW_IT_WORKS: NavigationLink = { to: paths.howItWorks, label: 'How It Works' };

const LEADERBOARD: NavigationLink = { to: paths.leaderboard, label: 'Leaderboard' };

/** What is used most stands first: where the bar is narrow, the last ones go behind "More". */
const MEMBERS: readonly NavigationLink[] = [
  { to: paths.myCoupons, label: 'My Coupons' },
  { to: paths.myBids, label: 'Bids' },
  { to: paths.exchanges, label: 'Exchanges' },
  { to: paths.messages, label: 'Messages' },
  VALIDATE,
  LEADERBOARD,
  { to: paths.transactionLogs, label: 'Transaction Logs' },
];

/** The pages that the header leads to (decisions 6.2). Until it is known who is looking, those that are there anyway. */
export function navigationFor({
  user,
  isLoading,
}: {
  user: SessionUser | null;
  isLoading: boolean;
}): readonly NavigationLink[] {
  if (isLoading) return EVERYBODY;
  return [...EVERYBODY, ...(user ? MEMBERS : [VALIDATE]), HOW_IT_WORKS];
}

/** The links, with how many messages wait unread behind the one that leads to them. */
export function withUnread(links: readonly NavigationLink[], unread: number): readonly NavigationLink[] {
  return links.map((link) => (link.to === paths.messages ? { ...link, unread } : link));
}

/** The pages of one's own account: in the menu behind one's picture, and in the drawer on small screens. */
export function accountLinksFor({ role }: SessionUser): NavigationLink[] {
  const isModerator = role === 'moderator' || role === 'admin';
  return [
    { to: paths.profile, label: 'Profile' },
    { to: paths.profileSettings, label: 'Settings' },
    { to: paths.sellerOnboarding, label: 'Get paid' },
    ...(isModerator
      ? [
          { to: paths.adminReports, label: 'Reports' },
          { to: paths.claims, label: 'Claims' },
        ]
      : []),
    ...(role === 'admin' ? [{ to: paths.admin, label: 'Admin Dashboard' }] : []),
  ];
}
