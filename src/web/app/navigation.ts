import type { SessionUser } from '#contract/accounts.ts';
import { paths } from '#web/lib/paths.ts';

interface NavigationLink {
  readonly to: string;
  readonly label: string;
}

const EVERYBODY: NavigationLink[] = [{ to: paths.home, label: 'Explore' }];

const MEMBERS: NavigationLink[] = [
  { to: paths.myCoupons, label: 'My Coupons' },
  { to: paths.myBids, label: 'Bids' },
  { to: paths.exchanges, label: 'Exchanges' },
  { to: paths.transactionLogs, label: 'Transaction Logs' },
];

/** The pages that the header leads to (decisions 6.2). */
export function navigationFor(user: SessionUser | null): NavigationLink[] {
  return user ? [...EVERYBODY, ...MEMBERS] : EVERYBODY;
}

/** The pages of one's own account: in the menu behind one's picture, and in the drawer on small screens. */
export function accountLinksFor({ role }: SessionUser): NavigationLink[] {
  const isModerator = role === 'moderator' || role === 'admin';
  return [
    { to: paths.profileSettings, label: 'Settings' },
    { to: paths.sellerOnboarding, label: 'Get paid' },
    ...(isModerator ? [{ to: paths.claims, label: 'Claims' }] : []),
  ];
}
