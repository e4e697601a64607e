import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Title, VisuallyHidden } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { defineAddress, openedId } from '#contract/base/address.ts';
import { SEARCH_MAX } from '#contract/base/bounds.ts';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { DealRef } from '#contract/deals/deals.ts';
import { MessagesDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { SearchBox } from '#web/components/search-box.tsx';
import { Surface } from '#web/components/surface.tsx';
import { useAddress } from '#web/lib/address.ts';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { useIsBelow } from '#web/lib/screen.ts';
import { ConversationList, rowId } from './conversation-list.tsx';
import { ConversationPane, PANE_TITLE_ID } from './conversation-pane.tsx';
import classes from './messages.module.css';
import { keyOf, useConversations } from './queries.ts';

const LIST_ID = 'conversations';
const ADDRESS = defineAddress({ exchange: openedId, bid: openedId });

type MessagesBrowserProps = Pick<ComponentProps<typeof ConversationPane>, 'acts'>;

/** The viewer's conversations, and the one that the address names. */
export function MessagesBrowser({ acts }: MessagesBrowserProps) {
  const [{ exchange, bid }] = useAddress(ADDRESS);
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const list = useConversations(search);
  const isWide = !useIsBelow('sm');
  const openId = exchange ?? bid;
  const named: DealRef | null =
    typeof openId === 'number' ? { dealType: exchange === null ? 'bid' : 'exchange', dealId: openId } : null;
  const first = search === '' ? list.items[0] : undefined;
  const [shown, setShown] = useState<DealRef | null>(null);
  // Without one in the address the first is shown; it stays when another one moves to the top.
  const automatic = shown ?? first ?? null;
  if (isWide && openId === null && !shown && first) setShown(first);
  const selected = named ?? (isWide && openId === null ? automatic : null);

  const select = ({ dealType, dealId }: DealRef) => {
    // On a small screen Back leads to the list.
    void navigate(paths.thread(dealType, dealId), { replace: isWide, preventScrollReset: isWide });
    if (!isWide) rescueFocus([PANE_TITLE_ID]);
  };
  const back = () => {
    void navigate(paths.messages);
    if (named) rescueFocus([rowId(named), LIST_ID]);
  };

  const hasNone = list.isLoaded && list.items.length === 0 && search === '';
  if (hasNone && !named) {
    return (
      <EmptyState
        title={TEXTS.messages.noneSelected()}
        text={t`You have no conversations yet. Ask for a coupon or bid on one, and you can write to its owner here.`}
        drawing={<MessagesDrawing />}
        action={
          <Button component={Link} to={paths.home}>
            <Trans>Browse Coupons</Trans>
          </Button>
        }
      />
    );
  }
  return (
    <Surface className={classes.browser}>
      {(isWide || !selected) && (
        <section className={classes.list} aria-label={t`Conversations`} id={LIST_ID} tabIndex={-1}>
          <VisuallyHidden>
            <Title order={2}>
              <Trans>Conversations</Trans>
            </Title>
          </VisuallyHidden>
          <div className={classes.search}>
            <SearchBox
              label={t`Search messages`}
              placeholder={t`Search messages...`}
              maxLength={SEARCH_MAX}
              value={search}
              onSearch={setSearch}
            />
          </div>
          <div className={classes.scroller}>
            <ConversationList list={list} selected={selected} onSelect={select} />
          </div>
        </section>
      )}
      {(isWide || selected) && (
        <section className={classes.right} aria-label={t`Conversation`}>
          {selected ? (
            <ConversationPane
              key={keyOf(selected)}
              deal={selected}
              known={list.items.find((each) => keyOf(each) === keyOf(selected))}
              acts={acts}
              {...(!isWide && { onBack: back })}
            />
          ) : (
            list.isLoaded && (
              <EmptyState
                title={TEXTS.messages.noneSelected()}
                text={t`Choose a conversation from the list.`}
                drawing={<MessagesDrawing />}
              />
            )
          )}
        </section>
      )}
    </Surface>
  );
}
