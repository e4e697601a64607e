import { Button, type ButtonProps, Skeleton, Stack, Tabs, Title, VisuallyHidden } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import type { DealType } from '#contract/deals.ts';
import { hasCode } from '#web/lib/errors.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { CouponTicketSkeleton } from './coupon-ticket.tsx';
import classes from './deal-browser.module.css';
import { Dialog } from './dialog.tsx';
import { SearchDrawing } from './drawing.tsx';
import { EmptyState } from './empty-state.tsx';
import { PagedList } from './paged-list.tsx';
import { type ContentQuery, QueryContent } from './query-content.tsx';

const NAMES: Record<DealType, string> = { bid: 'Bid', exchange: 'Exchange' };

const LIST_ID = 'deal-list';
/** The id of the text that takes the focus when an action has removed the pressed button. */
export const NEXT_STEP_ID = 'deal-next-step';

function detailsButtonId(id: number): string {
  return `deal-${id}-details`;
}

/** The ids of what may take the focus after an action on a deal. */
export function focusAfterAct(id: number): string[] {
  return [NEXT_STEP_ID, detailsButtonId(id), LIST_ID];
}

interface DealBrowserProps<Deal, Tab extends string>
  extends Omit<ComponentProps<typeof PagedList<Deal>>, 'label' | 'noun' | 'head'> {
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
          <Tabs.List className={classes.tabs} aria-label={`Which ${noun}s`}>
            {tabs.map(([value, name]) => (
              <Tabs.Tab key={value} value={value} className={classes.tab}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {filter}
        </div>
        <Tabs.Panel value={tab}>
          <div id={LIST_ID} tabIndex={-1}>
            <PagedList {...list} label={`${NAMES[noun]}s`} noun={noun}>
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
        focusAfter={[...(isKnown ? [detailsButtonId(openId)] : []), LIST_ID]}
        onClose={onClose}
        title={isKnown ? `${NAMES[noun]} #${openId}` : NAMES[noun]}
        size={detailWidth}
      >
        {openId === 'unknown' || hasCode(detail.error, 'not_found') ? (
          <EmptyState
            title={`This ${noun} was not found`}
            text={`The link may be wrong, or the ${noun} is not one of yours.`}
            drawing={<SearchDrawing />}
            titleOrder={3}
            action={<Button onClick={onClose}>See your {noun}s</Button>}
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

/** The look of an action's button: one that moves the deal on is filled in the details, light in a list. */
export function actLook(movesOn: boolean, isMain: boolean): Pick<ButtonProps, 'variant' | 'c'> {
  if (!movesOn) return { variant: 'default' };
  return isMain ? { variant: 'filled' } : { variant: 'light', c: 'var(--mantine-color-anchor)' };
}

interface DealButtonProps extends Pick<ButtonProps, 'size'> {
  readonly noun: DealType;
  readonly id: number;
  /** Adds to the name for screen readers: ' on Tea'. */
  readonly about?: string;
}

/** Opens the messages of the parties. */
export function MessagesButton({ noun, id, about = '', size }: DealButtonProps) {
  return (
    <Button
      size={size}
      variant="default"
      aria-haspopup="dialog"
      aria-label={`Messages of ${noun} #${id}${about}`}
      onClick={() => openDialog('messages', { deal: { dealType: noun, dealId: id } })}
    >
      Messages
    </Button>
  );
}

/** Opens the details of a deal in a list. */
export function DetailsButton({
  noun,
  id,
  about = '',
  size,
  onOpen,
}: DealButtonProps & { onOpen: () => void }) {
  return (
    <Button
      id={detailsButtonId(id)}
      size={size}
      variant="default"
      aria-haspopup="dialog"
      aria-label={`Details of ${noun} #${id}${about}`}
      onClick={onOpen}
    >
      Details
    </Button>
  );
}
