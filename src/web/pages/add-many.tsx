import { t } from '@lingui/core/macro';
import { PAGES } from '#contract/base/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { AddMany } from '#web/coupons/publishing/many/add-many.tsx';

/** Lists many coupons at once, from a spreadsheet, pasted lines or pictures. */
export function Component() {
  return (
    <PageShell
      title={PAGES.addMany.title()}
      text={t`Turn a spreadsheet, a list or pictures into coupons. Your codes stay encrypted, and no one sees them before a deal is complete.`}
    >
      <AddMany />
    </PageShell>
  );
}
