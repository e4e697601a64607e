import { NavLink } from 'react-router-dom';
import { paths } from '#web/lib/paths.ts';
import classes from './moderation.module.css';

const LINKS = [
  { to: paths.adminReports, label: 'Reports' },
  { to: paths.claims, label: 'Claims' },
] as const;

/** What moderators decide: two pages of one desk. */
export function ModerationNav() {
  return (
    <nav aria-label="Moderation" className={classes.nav}>
      {LINKS.map(({ to, label }) => (
        <NavLink key={to} to={to} end className={classes.navLink}>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
