import { PAGES } from '#contract/pages.ts';
import { Guide } from '#web/features/legal/guide.tsx';
import { usePageTitle } from '#web/lib/use-page-title.ts';

/** What the marketplace is, for people who have not dared yet. */
export function Component() {
  usePageTitle(PAGES.howItWorks.title);
  return <Guide />;
}
