import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { AddMany } from '#web/features/coupons/many/add-many.tsx';

/** Lists many coupons at once, from a spreadsheet or pasted lines. */
export function Component() {
  return (
    <PageShell
      title={PAGES.addMany.title}
      text="Turn a spreadsheet or a list into coupons. Your codes stay encrypted, and no one sees them before a deal is complete."
    >
      <AddMany />
    </PageShell>
  );
}
