import { t } from '@lingui/core/macro';
import { DISCOVER_ADDRESS } from '#contract/base/first-answers.ts';
import { PAGES } from '#contract/base/pages.ts';
import { FILTERS_ADDRESS } from '#contract/coupons/coupon-filters.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { DiscoverBrowser } from '#web/coupons/discover/discover-browser.tsx';
import { useWantButton } from '#web/coupons/search/want-button.tsx';
import { useAddress } from '#web/lib/address.ts';

const ANY = FILTERS_ADDRESS.read(new URLSearchParams());

/** Public codes from merchants' feeds, which the viewer can import; and a want for what people offer of a merchant. */
export function Component() {
  const [{ search, merchant }] = useAddress(DISCOVER_ADDRESS);
  const want = useWantButton({ ...ANY, merchant: merchant || search });
  return (
    <PageShell
      title={PAGES.discover.title()}
      text={t`Public codes that merchants give away. Import what you like for your own use; you cannot exchange these codes.`}
      action={want}
    >
      <DiscoverBrowser />
    </PageShell>
  );
}
