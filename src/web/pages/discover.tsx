import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { DiscoverBrowser } from '#web/features/discover/discover-browser.tsx';

/** Public codes from merchants' feeds, which the viewer can import. */
export function Component() {
  return (
    <PageShell
      title={PAGES.discover.title}
      text="Public codes that merchants give away. Import what you like: it is for your own use, and not for swapping."
    >
      <DiscoverBrowser />
    </PageShell>
  );
}
