import { PageShell } from '#web/components/page-shell.tsx';
import { TransactionLogsList } from '#web/features/notifications/transaction-logs-list.tsx';

export function TransactionLogsPage() {
  return (
    <PageShell
      title="Transaction History"
      text="Everything you have done here, and what came of it."
      size="md"
    >
      <TransactionLogsList />
    </PageShell>
  );
}
