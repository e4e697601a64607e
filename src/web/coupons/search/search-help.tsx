import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { Filters } from '#contract/coupons/coupon-filters.ts';
import { CATEGORY_NAMES } from '#web/coupons/core/wording.ts';
import { trpc } from '#web/lib/trpc.ts';

interface SearchHelpProps {
  /** It has found nothing. */
  readonly search: string;
  readonly onShow: (change: Partial<Filters>) => void;
}

/** Offers a similar search, and the category that the words belong to. */
export function SearchHelp({ search, onShow }: SearchHelpProps) {
  const { data } = trpc.search.help.useQuery({ search }, { staleTime: 'static' });
  const { didYouMean = null, category = null } = data ?? {};
  return (
    <>
      {didYouMean !== null && (
        <Button onClick={() => onShow({ search: didYouMean })}>
          <Trans>Did you mean “{didYouMean}”?</Trans>
        </Button>
      )}
      {category !== null && (
        <Button variant="default" onClick={() => onShow({ search: '', category })}>
          <Trans>Show all in {CATEGORY_NAMES[category]}</Trans>
        </Button>
      )}
    </>
  );
}
