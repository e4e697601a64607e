import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton, Tabs, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { formatNumber } from '#contract/base/locale.ts';
import classes from './discover.module.css';
import type { KnownGroup } from './queries.ts';

interface MerchantTabsProps {
  readonly groups: readonly KnownGroup[];
  readonly selected: string | null;
  /** Whether the first merchants are loading. */
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  /** Whether there may be more merchants than the list counts. */
  readonly isCapped: boolean;
  readonly isFetching: boolean;
  readonly onMore: () => void;
}

/** The value of a merchant's tab. Mantine makes an element id of it, which must not contain spaces. */
export function tabValue(merchant: string): string {
  return encodeURIComponent(merchant);
}

export function merchantOf(value: string): string {
  return decodeURIComponent(value);
}

/** One tab per merchant: a column on wide screens, a scrolling row on phones. */
export function MerchantTabs(props: MerchantTabsProps) {
  const { groups, selected, isLoading, hasMore, isCapped, isFetching, onMore } = props;
  const row = useRef<HTMLDivElement>(null);
  const isListed = groups.some(({ merchant }) => merchant === selected);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the selection changes
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    // A link may open a tab that is out of view: only the row scrolls to it, not the page.
    if (tab && row.current) row.current.scrollLeft = tab.offsetLeft - row.current.offsetLeft - 16;
  }, [selected, isLoading]);

  if (isLoading) return <MerchantTabsSkeleton />;
  return (
    <div ref={row} className={classes.merchants}>
      <Tabs.List className={classes.tabs} aria-label={t`Merchants`}>
        {/* Chosen by a link, and further down the list than it has been read. */}
        {selected !== null && !isListed && <MerchantTab merchant={selected} />}
        {groups.map(({ merchant, total }) => (
          <MerchantTab key={merchant} merchant={merchant} total={total} />
        ))}
      </Tabs.List>
      {hasMore && (
        <Button variant="subtle" flex="none" onClick={onMore} loading={isFetching}>
          <Trans>More merchants</Trans>
        </Button>
      )}
      {!hasMore && isCapped && (
        <Text flex="none" p={12} c="dimmed" fz="sm">
          <Trans>Search for more merchants</Trans>
        </Text>
      )}
    </div>
  );
}

function MerchantTab({ merchant, total }: { merchant: string; total?: number }) {
  return (
    <Tabs.Tab value={tabValue(merchant)} className={classes.tab}>
      <Text span fz="inherit" fw={600}>
        {merchant}
      </Text>{' '}
      {total !== undefined && (
        <span className={classes.total}>
          <span aria-hidden="true">{formatNumber(total)}</span>
          <VisuallyHidden>{plural(total, { one: '# offer', other: '# offers' })}</VisuallyHidden>
        </span>
      )}
    </Tabs.Tab>
  );
}

const WIDTHS = [70, 45, 60, 80, 50, 65, 40, 75];

export function MerchantTabsSkeleton() {
  return (
    <div className={classes.merchants} aria-busy="true">
      {WIDTHS.map((width) => (
        <Skeleton key={width} flex="none" height={44} width={`${width}%`} />
      ))}
    </div>
  );
}
