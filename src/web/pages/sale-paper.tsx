import { Skeleton } from '@mantine/core';
import { useParams } from 'react-router-dom';
import { defineAddress, oneOf } from '#contract/address.ts';
import { PAGES } from '#contract/pages.ts';
import { PAPER_TITLES } from '#contract/paper-lines.ts';
import type { PaperKind } from '#contract/papers.ts';
import { idSchema } from '#contract/primitives.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { PaperSheet, PrintButton } from '#web/features/papers/paper-sheet.tsx';
import { usePaper } from '#web/features/papers/queries.ts';
import { useAddress } from '#web/lib/address.ts';
import { hasCode } from '#web/lib/errors.ts';
import { Component as NotFoundPage } from './not-found.tsx';

const ADDRESS = defineAddress<{ kind: PaperKind | null }>({
  kind: oneOf<PaperKind | null>([null, 'receipt', 'statement']),
});

/** The receipt or the fee statement of a sale, to print. */
export function Component() {
  const id = idSchema.safeParse(Number(useParams().id)).data;
  return id === undefined ? <NotFoundPage /> : <SalePaper id={id} />;
}

function SalePaper({ id }: { id: number }) {
  const [{ kind }] = useAddress(ADDRESS);
  const query = usePaper(id, kind);
  if (hasCode(query.error, 'not_found')) return <NotFoundPage />;
  const title = query.data ? PAPER_TITLES[query.data.kind] : PAGES.salePaper.title;
  return (
    <PageShell title={title} size="sm" action={query.data && <PrintButton />}>
      <QueryContent
        query={query}
        errorTitle="The receipt could not be loaded"
        skeleton={<Skeleton height={480} radius="md" />}
      >
        {(paper) => <PaperSheet paper={paper} />}
      </QueryContent>
    </PageShell>
  );
}
