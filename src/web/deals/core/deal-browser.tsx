import { plural, t } from '@lingui/core/macro';
import { Button, Skeleton, Stack, Tabs, Title, VisuallyHidden } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import type { Page } from '#contract/base/primitives.ts';
import type { DealType } from '#contract/deals/deals.ts';
import { CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { SearchDrawing } from '#web/components/drawing.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { countText, PagedList } from '#web/components/paged-list.tsx';
import { type ContentQuery, QueryContent } from '#web/components/query-content.tsx';
import { hasCode } from '#web/lib/errors.ts';
import classes from './deal-browser.module.css';
import { DEAL_LIST_ID, detailsButtonId } from './deal-buttons.tsx';

const WORDS = {
  bid: {
    name: t`Bid`,
    numbered: (id: number) => t`Bid #${id}`,
    all: t`Bids`,
    count: (page: Page<unknown>) =>
      plural(page.total, { one: `${countText(page)} bid`, other: `${countText(page)} bids` }),
    notFound: t`This bid was not found`,
    notFoundText: t`The link may be wrong, or the bid is not one of yours.`,
    seeAll: t`See your bids`,
  },
  exchange: {
    name: t`Exchange`,
    numbered: (id: number) => t`Exchange #${id}`,
    all: t`Exchanges`,
    count: (page: Page<unknown>) =>
      plural(page.total, { one: `${countText(page)} exchange`, other: `${countText(page)} exchanges` }),
    notFound: t`This exchange was not found`,
    notFoundText: t`The link may be wrong, or the exchange is not one of yours.`,
    seeAll: t`See your exchanges`,
  },
} satisfies Record<DealType, object>;

interface DealBrowserProps<Deal, Tab extends string>
  extends Omit<ComponentProps<typeof PagedList<Deal>>, 'label' | 'announce' | 'head'> {
  readonly noun: DealType;
  readonly tabs: readonly (readonly [tab: Tab, name: string])[];
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
  /** Beside the tabs. */
  readonly filter: ReactNode;
  /** Names the list for screen readers. */
  readonly heading: string;
  /** The deal whose details are open; 'unknown' where the address has no valid id. */
  readonly openId: number | 'unknown' | null;
  readonly detail: ContentQuery<Deal>;
  readonly detailWidth: number;
  readonly renderDetail: (deal: Deal) => ReactNode;
  readonly onClose: () => void;
}

/** The viewer's deals of one kind in tabs, and the details of one in a dialog that the address keeps open. */
export function DealBrowser<Deal, Tab extends string>(props: DealBrowserProps<Deal, Tab>) {
  const {
    noun,
    tabs,
    tab,
    onTab,
    filter,
    heading,
    openId,
    detail,
    detailWidth,
    renderDetail,
    onClose,
    ...list
  } = props;
  const { children } = list;
  const words = WORDS[noun];
  const isKnown = typeof openId === 'number';
  return (
    <>
      <Tabs
        value={tab}
        onChange={(value) => {
          for (const [known] of tabs) if (known === value) onTab(known);
        }}
      >
        <div className={classes.toolbar} data-noun={noun}>
          <Tabs.List className={classes.tabs} aria-label={words.all}>
            {tabs.map(([value, name]) => (
              <Tabs.Tab key={value} value={value} className={classes.tab}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {filter}
        </div>
        <Tabs.Panel value={tab}>
          <div id={DEAL_LIST_ID} tabIndex={-1}>
            <PagedList {...list} label={words.all} announce={words.count}>
              {(deals) => (
                <>
                  <VisuallyHidden>
                    <Title order={2}>{heading}</Title>
                  </VisuallyHidden>
                  {children(deals)}
                </>
              )}
            </PagedList>
          </div>
        </Tabs.Panel>
      </Tabs>
      <Dialog
        isOpenInAddress={openId !== null}
        focusAfter={[...(isKnown ? [detailsButtonId(openId)] : []), DEAL_LIST_ID]}
        onClose={onClose}
        title={isKnown ? words.numbered(openId) : words.name}
        size={detailWidth}
      >
        {openId === 'unknown' || hasCode(detail.error, 'not_found') ? (
          <EmptyState
            title={words.notFound}
            text={words.notFoundText}
            drawing={<SearchDrawing />}
            titleOrder={3}
            action={<Button onClick={onClose}>{words.seeAll}</Button>}
          />
        ) : (
          <QueryContent query={detail} errorTitle={list.errorTitle} skeleton={<DealSkeleton />}>
            {renderDetail}
          </QueryContent>
        )}
      </Dialog>
    </>
  );
}

function DealSkeleton() {
  return (
    <Stack gap="lg">
      <Skeleton height={25} width={200} />
      <Skeleton height={76} />
      <CouponTicketSkeleton size="small" />
      <Skeleton height={122} />
      <Skeleton height={64} />
      <Skeleton height={36} width={110} radius="xl" ml="auto" />
    </Stack>
  );
}
