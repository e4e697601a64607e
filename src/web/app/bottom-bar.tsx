import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { UnstyledButton } from '@mantine/core';
import {
  IconArrowsExchange,
  IconHelpCircle,
  IconHome,
  IconMenu2,
  IconPlus,
  IconRosetteDiscountCheck,
  IconTicket,
  IconUser,
  type Icon as TablerIcon,
} from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { openDialog, openDialogs } from '#web/lib/open-dialog.ts';
import { ActiveOnly, useViewer } from '#web/lib/viewer.tsx';
import classes from './bottom-bar.module.css';
import { currentAt, drawerLinksFor, type NavigationLink } from './navigation.ts';
import { LinkLabel } from './top-links.tsx';
import { useNavigationLinks } from './use-navigation-links.ts';

const ICONS: Readonly<Record<string, TablerIcon>> = {
  [paths.home]: IconHome,
  [paths.myCoupons]: IconTicket,
  [paths.deals]: IconArrowsExchange,
  [paths.validateCoupon]: IconRosetteDiscountCheck,
  [paths.howItWorks]: IconHelpCircle,
};

/** Links of the header that are in the bar, too (decisions 6.2). */
const MEMBERS = [paths.home, paths.myCoupons, paths.deals];
const VISITORS = [paths.home, paths.validateCoupon, paths.howItWorks];

/** The links of phones, at the thumb: the most used pages, and the menu with all others. */
export function BottomBar() {
  const { user } = useViewer();
  const { pathname } = useLocation();
  const links = useNavigationLinks();
  const dialogs = useSyncExternalStore(openDialogs.subscribe, openDialogs.read);
  const isMenuOpen = dialogs.some((dialog) => dialog.name === 'navigation' && dialog.isOpen);
  const [first, second, third] = (user ? MEMBERS : VISITORS).map((path) =>
    links.find(({ to }) => to === path),
  );
  const isInBar = [first, second, third].some((link) => link && currentAt(link.to, pathname));
  const isInMenu = !isInBar && drawerLinksFor(user, links).some(({ to }) => to === pathname);
  return (
    <nav className={classes.bar} aria-label={t`Shortcuts`}>
      {first && <BarLink link={first} />}
      {second && <BarLink link={second} />}
      {user && (
        <ActiveOnly>
          <UnstyledButton
            className={classes.item}
            aria-haspopup="dialog"
            aria-label={t`Add a coupon`}
            onClick={() => openDialog('coupon')}
          >
            <span className={classes.add}>
              <IconPlus size={22} aria-hidden="true" />
            </span>
            <Trans>Add</Trans>
          </UnstyledButton>
        </ActiveOnly>
      )}
      {third && <BarLink link={third} />}
      <UnstyledButton
        className={classes.item}
        aria-haspopup="dialog"
        aria-expanded={isMenuOpen}
        aria-current={isInMenu || undefined}
        onClick={() => openDialog('navigation', { links })}
      >
        {user ? <IconUser size={24} aria-hidden="true" /> : <IconMenu2 size={24} aria-hidden="true" />}
        {user ? t`Me` : t`Menu`}
      </UnstyledButton>
    </nav>
  );
}

function BarLink({ link: { to, label, waiting } }: { link: NavigationLink }) {
  const { pathname } = useLocation();
  const Icon = ICONS[to] ?? IconHome;
  return (
    <Link to={to} className={classes.item} aria-current={currentAt(to, pathname)}>
      <Icon size={24} aria-hidden="true" />
      <LinkLabel label={label} waiting={waiting} />
    </Link>
  );
}
