import { paths } from '#contract/base/pages.ts';

/**
 * The path to go to after signing in: always on this site. It is parsed as the browser does, which drops tabs and line
 * breaks, reads a backslash as a slash, and resolves '/./'.
 */
export function returnPath(from: string | null): string {
  if (!from?.startsWith('/') || !URL.canParse(from, window.location.origin)) return paths.home;
  const { origin, pathname, search, hash } = new URL(from, window.location.origin);
  const isElsewhere = origin !== window.location.origin || pathname.startsWith('//');
  // The sign-in page redirects signed-in people: as the target it would redirect forever.
  return isElsewhere || pathname === paths.auth ? paths.home : pathname + search + hash;
}
