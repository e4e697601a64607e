import { t } from '@lingui/core/macro';
import { PAGES } from '#contract/base/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { TransactionLogsList } from '#web/people/notifications/transaction-logs-list.tsx';

export function Component() {
  return (
    <PageShell title={PAGES.transactionLogs.title()} text={t`Everything you have done here.`} size="md">
      <TransactionLogsList />
    </PageShell>
  );
}
