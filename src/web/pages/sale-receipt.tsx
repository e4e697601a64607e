import { t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { useParams } from 'react-router-dom';
import { defineAddress, oneOf } from '#contract/base/address.ts';
import { PAGES } from '#contract/base/pages.ts';
import { idSchema } from '#contract/base/primitives.ts';
import { RECEIPT_TITLES } from '#contract/money/receipt-lines.ts';
import type { ReceiptKind } from '#contract/money/receipts.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { useAddress } from '#web/lib/address.ts';
import { hasCode } from '#web/lib/errors.ts';
import { useReceipt } from '#web/money/receipts/queries.ts';
import { PrintButton, ReceiptSheet } from '#web/money/receipts/receipt-sheet.tsx';
import { Component as NotFoundPage } from './not-found.tsx';

const ADDRESS = defineAddress<{ kind: ReceiptKind | null }>({
  kind: oneOf<ReceiptKind | null>([null, 'receipt', 'statement']),
});

/** The receipt or the fee statement of a sale, to print. */
export function Component() {
  const id = idSchema.safeParse(Number(useParams().id)).data;
  return id === undefined ? <NotFoundPage /> : <SaleReceipt id={id} />;
}

function SaleReceipt({ id }: { id: number }) {
  const [{ kind }] = useAddress(ADDRESS);
  const query = useReceipt(id, kind);
  if (hasCode(query.error, 'not_found')) return <NotFoundPage />;
  const title = query.data ? RECEIPT_TITLES[query.data.kind]() : PAGES.saleReceipt.title();
  return (
    <PageShell title={title} size="sm" action={query.data && <PrintButton />}>
      <QueryContent
        query={query}
        errorTitle={t`Error loading the receipt`}
        skeleton={<Skeleton height={480} radius="md" />}
      >
        {(receipt) => <ReceiptSheet receipt={receipt} />}
      </QueryContent>
    </PageShell>
  );
}
