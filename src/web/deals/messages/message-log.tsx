import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconArrowDown } from '@tabler/icons-react';
import { Fragment } from 'react';
import type { Message } from '#contract/deals/messages.ts';
import { dayHeading, formatTime, useNow } from '#web/lib/time-ago.ts';
import { useMember } from '#web/lib/viewer.tsx';
import classes from './messages.module.css';
import type { Outgoing } from './use-outgoing.ts';
import { useStickyScroll } from './use-sticky-scroll.ts';

interface MessageLogProps {
  readonly messages: readonly Message[];
  readonly outgoing: readonly Outgoing[];
  readonly otherUsername: string;
  readonly hasOlder: boolean;
  readonly older: 'idle' | 'loading' | 'failed';
  /** Whether a message that did not get through can be sent again. */
  readonly canRetry: boolean;
  readonly onShowOlder: () => void;
  readonly onRetry: (message: Outgoing) => void;
  readonly onDiscard: (message: Outgoing) => void;
}

/** The messages of a thread by day, the viewer's own on the right. New ones are read out. */
export function MessageLog(props: MessageLogProps) {
  const { messages, otherUsername, older } = props;
  const viewerId = useMember().id;
  const now = useNow();
  // A live event may bring a message before its own answer does: show it once.
  const arrived = new Set(messages.map(({ clientKey }) => clientKey));
  const outgoing = props.outgoing.filter(({ clientKey }) => !arrived.has(clientKey));
  const lastRead = messages.findLast(({ senderId, isRead }) => senderId === viewerId && isRead);
  const scroll = useStickyScroll({
    firstId: messages[0]?.id,
    lastId: messages.at(-1)?.id,
    isLastOwn: messages.at(-1)?.senderId === viewerId,
    outgoing: outgoing.length,
  });
  let day = '';

  return (
    <div className={classes.logFrame}>
      <section
        ref={scroll.ref}
        className={classes.log}
        role="log"
        aria-label={t`Messages with ${otherUsername}`}
        aria-live="polite"
        aria-busy={older === 'loading'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        onScroll={scroll.onScroll}
      >
        {props.hasOlder && (
          <Button
            variant="default"
            size="compact-sm"
            className={classes.older}
            loading={older === 'loading'}
            onClick={props.onShowOlder}
          >
            {older === 'failed' ? t`Error loading older messages. Try again` : t`Show older messages`}
          </Button>
        )}
        {messages.length === 0 && outgoing.length === 0 && (
          <Text c="dimmed" size="sm" m="auto" ta="center">
            <Trans>No messages yet. Say hello to {otherUsername}.</Trans>
          </Text>
        )}
        {messages.map((message) => {
          const heading = dayHeading(message.createdAt, now);
          const isNewDay = heading !== day;
          day = heading;
          const isOwn = message.senderId === viewerId;
          return (
            <Fragment key={message.id}>
              {isNewDay && <p className={classes.day}>{heading}</p>}
              <div className={classes.message} data-own={isOwn || undefined}>
                <VisuallyHidden>{isOwn ? t`You` : message.senderUsername}: </VisuallyHidden>
                <p className={classes.bubble} dir="auto">
                  {message.content}
                </p>
                <span className={classes.meta}>
                  <time dateTime={message.createdAt}>{formatTime(message.createdAt)}</time>
                  {message.id === lastRead?.id && (
                    <span>
                      <Trans>Read</Trans>
                    </span>
                  )}
                </span>
              </div>
            </Fragment>
          );
        })}
        {outgoing.map((message) => (
          <OutgoingMessage key={message.clientKey} {...props} message={message} />
        ))}
      </section>
      {scroll.hasNew && (
        <Button
          className={classes.newMessages}
          size="compact-md"
          leftSection={<IconArrowDown size={16} />}
          onClick={scroll.toEnd}
        >
          <Trans>New messages</Trans>
        </Button>
      )}
    </div>
  );
}

type OutgoingMessageProps = Pick<MessageLogProps, 'canRetry' | 'onRetry' | 'onDiscard'> & {
  readonly message: Outgoing;
};

function OutgoingMessage({ message, canRetry, onRetry, onDiscard }: OutgoingMessageProps) {
  return (
    <div className={classes.message} data-own data-state={message.state}>
      <VisuallyHidden>
        <Trans>You:</Trans>{' '}
      </VisuallyHidden>
      <p className={classes.bubble} dir="auto">
        {message.content}
      </p>
      {message.state === 'sending' ? (
        <span className={classes.meta}>
          <Trans>Sending…</Trans>
        </span>
      ) : (
        <Group component="span" justify="flex-end" gap={8} mt={4}>
          <Group
            component="span"
            display="inline-flex"
            gap={4}
            c="var(--mantine-color-error)"
            fz="sm"
            fw={600}
          >
            <IconAlertTriangle size={16} aria-hidden="true" /> <Trans>Not sent</Trans>
          </Group>
          {canRetry && (
            <Button size="compact-sm" variant="default" onClick={() => onRetry(message)}>
              <Trans>Retry</Trans>
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={() => onDiscard(message)}>
            <Trans>Discard</Trans>
          </Button>
        </Group>
      )}
    </div>
  );
}

/** Why no more messages can be sent. */
export function ClosedNote({ children }: { children: string }) {
  return (
    <Alert color="gray" variant="light" className={classes.closed} c="inherit">
      {children}
    </Alert>
  );
}
