import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { SellerSetUp } from '#web/features/sellers/seller-set-up.tsx';

/** Where a seller sets up how they are paid. */
export function Component() {
  return (
    <PageShell
      title={PAGES.sellerOnboarding.title}
      text="Connect an account, so that buyers can pay you. One is enough."
      size="md"
    >
      <SellerSetUp />
    </PageShell>
  );
}
