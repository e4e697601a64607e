import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Anchor, Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { IconArrowLeft, IconArrowsLeftRight, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { moneyText } from '#contract/base/money.ts';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { DealRef } from '#contract/deals/deals.ts';
import { type Conversation, takesMessages } from '#contract/deals/messages.ts';
import { CouponTicket, CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { SearchDrawing } from '#web/components/drawing.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorState } from '#web/components/query-content.tsx';
import { StatusBadge } from '#web/components/status-badge.tsx';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { hasCode, readErrorText } from '#web/lib/errors.ts';
import { useMayAct, useMember } from '#web/lib/viewer.tsx';
import { MessageForm } from './message-form.tsx';
import { ClosedNote, MessageLog } from './message-log.tsx';
import classes from './messages.module.css';
import { useConversation, useMarkThreadRead, useRefreshThread, useThread } from './queries.ts';
import { useOutgoing } from './use-outgoing.ts';

/** The id of the heading, which takes the focus when a conversation is opened from the list on a small screen. */
export const PANE_TITLE_ID = 'conversation-title';

interface ConversationPaneProps {
  readonly deal: DealRef;
  /** The conversation as the list already has it. */
  readonly known?: Conversation | undefined;
  /** Leads back to the list on small screens. */
  readonly onBack?: () => void;
  /** More buttons at the head. */
  readonly acts?: ((conversation: Conversation) => ReactNode) | undefined;
}

/** A conversation: the other party, the coupons, the messages and the input. */
export function ConversationPane({ deal, known, onBack, acts }: ConversationPaneProps) {
  const { data, error, isFetching, refetch } = useConversation(deal, known);
  // Asked for at once. An earlier round of a negotiation leads to the newest one.
  const thread = useThread(data ?? deal);
  if (error && hasCode(error, 'not_found')) {
    return (
      <EmptyState
        title={t`Conversation not found`}
        text={t`The link may be wrong, or the deal is not one of yours.`}
        drawing={<SearchDrawing />}
        action={
          onBack && (
            <Button onClick={onBack}>
              <Trans>Back to the list</Trans>
            </Button>
          )
        }
      />
    );
  }
  if (!data && error) {
    return (
      <ErrorState
        title={TEXTS.messages.loadFailed()}
        message={readErrorText(error)}
        onRetry={() => refetch()}
        isRetrying={isFetching}
      />
    );
  }
  return (
    <div className={classes.pane} aria-busy={!data}>
      {data ? (
        <>
          <PaneHead conversation={data} onBack={onBack} acts={acts?.(data)} />
          <Thread conversation={data} thread={thread} />
        </>
      ) : (
        // Both go at once: below a head of another height, what stayed would jump.
        <>
          <PaneHeadSkeleton />
          <ThreadSkeleton />
        </>
      )}
    </div>
  );
}

function dealName({ dealType, dealId }: DealRef): string {
  return dealType === 'exchange' ? t`Exchange #${dealId}` : t`Bid #${dealId}`;
}

interface PaneHeadProps {
  readonly conversation: Conversation;
  readonly onBack: (() => void) | undefined;
  readonly acts: ReactNode;
}

function PaneHead({ conversation, onBack, acts }: PaneHeadProps) {
  const { dealType, dealId, otherId, otherUsername, otherProfileImageUrl } = conversation;
  const { requestedCoupon, offeredCoupon, amount, initialMessage, initiatorId, status } = conversation;
  const viewer = useMember();
  const dealPath = dealType === 'exchange' ? paths.exchange(dealId) : paths.bid(dealId);
  return (
    <div className={classes.head}>
      <div className={classes.who}>
        {onBack && (
          <ActionIcon
            variant="default"
            size={44}
            radius="xl"
            aria-label={t`Back`}
            title={t`Back`}
            onClick={onBack}
          >
            <IconArrowLeft size={20} />
          </ActionIcon>
        )}
        <UserAvatar username={otherUsername} profileImageUrl={otherProfileImageUrl} size={40} />
        <div className={classes.names}>
          <Title order={2} size="h4" id={PANE_TITLE_ID} tabIndex={-1} className={classes.paneTitle}>
            <Anchor component={Link} to={paths.user(otherId)} inherit c="inherit" className="target">
              {otherUsername}
            </Anchor>
          </Title>
          <Group gap="xs">
            <StatusBadge dealType={dealType} status={status} />
            <Anchor component={Link} to={dealPath} size="sm" className="target">
              {dealName(conversation)}
            </Anchor>
            {amount !== null && (
              <Text span size="sm" c="dimmed" className="tabular">
                {moneyText(amount)}
              </Text>
            )}
          </Group>
        </div>
        {acts}
        <RefreshButton deal={conversation} />
      </div>
      <div className={classes.tickets} data-pair={offeredCoupon ? true : undefined}>
        <CouponTicket coupon={requestedCoupon} size="mini" />
        {offeredCoupon && (
          <>
            <IconArrowsLeftRight size={18} aria-label={t`for`} role="img" />
            <CouponTicket coupon={offeredCoupon} size="mini" />
          </>
        )}
      </div>
      {initialMessage && (
        <div className={classes.initial}>
          <Text size="sm" c="dimmed" fw={600}>
            {initiatorId === viewer.id ? t`Your request` : t`${otherUsername}’s request`}
          </Text>
          <blockquote dir="auto">{initialMessage}</blockquote>
        </div>
      )}
    </div>
  );
}

function PaneHeadSkeleton() {
  return (
    <div className={classes.head}>
      <div className={classes.who}>
        <Skeleton height={40} circle />
        <div className={classes.names}>
          <Skeleton height={24} width={120} />
          <Skeleton height={20} width={180} mt={6} />
        </div>
      </div>
      <div className={classes.tickets} data-pair>
        <CouponTicketSkeleton size="mini" />
        <span />
        <CouponTicketSkeleton size="mini" />
      </div>
    </div>
  );
}

function RefreshButton({ deal }: { deal: DealRef }) {
  const refresh = useRefreshThread(deal);
  const { isFetching } = useThread(deal);
  return (
    <ActionIcon
      variant="default"
      size={40}
      radius="xl"
      aria-label={t`Refresh`}
      title={t`Refresh`}
      loading={isFetching}
      onClick={() => void refresh()}
    >
      <IconRefresh size={20} />
    </ActionIcon>
  );
}

interface ThreadProps {
  readonly conversation: Conversation;
  readonly thread: ReturnType<typeof useThread>;
}

function Thread({ conversation, thread }: ThreadProps) {
  const outgoing = useOutgoing(conversation);
  const mayAct = useMayAct();
  const viewer = useMember();
  useReadWhileSeen(conversation, thread.data?.messages.findLast(isUnreadBy(viewer.id))?.id);
  if (thread.error && !thread.data) {
    return (
      <div className={classes.logFrame}>
        <ErrorState
          title={TEXTS.messages.loadFailed()}
          message={readErrorText(thread.error)}
          onRetry={() => thread.refetch()}
          isRetrying={thread.isFetching}
        />
      </div>
    );
  }
  if (!thread.data) return <ThreadSkeleton />;
  const { status, otherUsername, dealType, dealId, isBlocked, hasOpenClaim } = conversation;
  const mayWrite = mayAct || hasOpenClaim;
  const isOpen = takesMessages(status) && !isBlocked;
  return (
    <>
      <MessageLog
        key={`${dealType}-${dealId}`}
        messages={thread.data.messages}
        outgoing={outgoing.outgoing}
        otherUsername={otherUsername}
        hasOlder={thread.data.olderCursor !== null}
        older={thread.older}
        canRetry={isOpen && mayWrite}
        onShowOlder={() => void thread.showOlder()}
        onRetry={outgoing.retry}
        onDiscard={outgoing.discard}
      />
      {!mayWrite ? (
        <ClosedNote>{TEXTS.messages.restricted(viewer.status)}</ClosedNote>
      ) : isOpen ? (
        <MessageForm
          draft={outgoing.draft}
          otherUsername={otherUsername}
          isSending={outgoing.isSending}
          onDraft={outgoing.setDraft}
          onSend={outgoing.send}
        />
      ) : isBlocked ? (
        <ClosedNote>{t`You have blocked ${otherUsername}. Unblock them to send messages.`}</ClosedNote>
      ) : (
        <ClosedNote>{TEXTS.messages.closed(dealType, status)}</ClosedNote>
      )}
    </>
  );
}

function isUnreadBy(viewerId: number) {
  return ({ senderId, isRead }: { senderId: number; isRead: boolean }) => senderId !== viewerId && !isRead;
}

/** Marks messages as read while the page is visible. */
function useReadWhileSeen(deal: DealRef, newestUnreadId: number | undefined): void {
  const isVisible = useDocumentVisibility() === 'visible';
  const markRead = useMarkThreadRead(deal);
  useEffect(() => {
    if (isVisible && newestUnreadId !== undefined) markRead();
  }, [isVisible, newestUnreadId, markRead]);
}

function ThreadSkeleton() {
  return (
    <>
      <div className={classes.logFrame}>
        <div className={classes.log} aria-busy="true">
          {[180, 240, 140].map((width, row) => (
            <div key={width} className={classes.message} data-own={row === 1 || undefined}>
              <Skeleton height={40} width={width} radius="lg" />
            </div>
          ))}
        </div>
      </div>
      <div className={classes.form} aria-hidden="true">
        <Skeleton height={66} />
      </div>
    </>
  );
}
