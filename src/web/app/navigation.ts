import type { SessionUser } from '#contract/accounts.ts';
import { paths } from '#web/lib/paths.ts';

export interface NavigationLink {
  readonly to: string;
  readonly label: string;
}

/** There for everybody, and first: they stand before it is known who is looking, and stay where they are then. */
const EVERYBODY: readonly NavigationLink[] = [
  { to: paths.home, label: 'Explore' },
  { to: paths.discover, label: 'Discover' },
];
const VALIDATE: NavigationLink = { to: paths.validateCoupon, label: 'Validate' };

/** What is used most stands first: where the bar is narrow, the last ones go behind "More". */
const MEMBERS: readonly NavigationLink[] = [
  { to: paths.myCoupons, label: 'My Coupons' },
  { to: paths.myBids, label: 'Bids' },
  { to: paths.exchanges, label: 'Exchanges' },
  VALIDATE,
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
  return [...EVERYBODY, ...(user ? MEMBERS : [VALIDATE])];
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
