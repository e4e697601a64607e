import { paths } from '#contract/pages.ts';

/**
 * Where to go after signing in: an address of this site, never another one's. Judged as the browser reads it:
 * it drops tabs and line breaks, takes a backslash for a slash, and resolves '/./'.
 */
export function returnPath(from: string | null): string {
  if (!from?.startsWith('/') || !URL.canParse(from, window.location.origin)) return paths.home;
  const { origin, pathname, search, hash } = new URL(from, window.location.origin);
  const isElsewhere = origin !== window.location.origin || pathname.startsWith('//');
  // The sign-in page sends on whoever is signed in: as a goal it would go round in circles.
  return isElsewhere || pathname === paths.auth ? paths.home : pathname + search + hash;
}
