import { t } from '@lingui/core/macro';
import { PAGES } from '#contract/base/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { SellerDebts } from '#web/people/sellers/seller-debts.tsx';
import { SellerSetUp } from '#web/people/sellers/seller-set-up.tsx';

/** The set-up of a seller's payment accounts. */
export function Component() {
  return (
    <PageShell
      title={PAGES.sellerOnboarding.title()}
      text={t`Connect an account so that buyers can pay you. One is enough.`}
      size="md"
    >
      <SellerDebts />
      <SellerSetUp />
    </PageShell>
  );
}
