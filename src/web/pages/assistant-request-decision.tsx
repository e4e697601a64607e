import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AssistantRequest, Seen } from '#contract/people/assistant-requests.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';

interface DecisionProps {
  readonly request: AssistantRequest;
  /** The words of the act, as its own dialog has them. */
  readonly words: {
    readonly title: string;
    readonly confirm: string;
    readonly paragraphs: readonly string[];
  };
  readonly isDangerous?: boolean;
  /** What the viewer sees of the deal at the moment. */
  readonly seen?: () => Seen;
  /** Where the act goes on in the browser. */
  readonly onConfirmed?: () => unknown;
  readonly onFailed?: (error: unknown) => void;
  /** What the act is about. */
  readonly children: ReactNode;
}

/** Says who asks for what, what will happen and until when it can be confirmed, with the two buttons. */
export function Decision(props: DecisionProps) {
  const { request, words, isDangerous, seen, onConfirmed, onFailed, children } = props;
  const { program } = request;
  const time = formatDateTime(request.expiresAt);
  const confirming = trpc.assistantRequests.confirm.useMutation();
  const declining = trpc.assistantRequests.decline.useMutation();
  const isPending = confirming.isPending || declining.isPending;
  const confirm = async () => {
    try {
      await confirming.mutateAsync({ id: request.id, seen: seen?.() ?? {} });
    } catch (error) {
      onFailed?.(error);
      return toasts.failed(error, t`Not confirmed`);
    }
    await onConfirmed?.();
  };
  const decline = async () => {
    try {
      await declining.mutateAsync({ id: request.id });
    } catch (error) {
      toasts.failed(error, t`Not declined`);
    }
  };
  return (
    <Stack>
      <Text c="dimmed">
        <Trans>
          {program} asks you to decide by {time}. Nothing happens unless you confirm it.
        </Trans>
      </Text>
      <Title order={2} fz="title">
        {words.title}
      </Title>
      {children}
      {words.paragraphs.map((paragraph) => (
        <Text key={paragraph}>{paragraph}</Text>
      ))}
      <Group justify="flex-end">
        <Button
          variant="default"
          disabled={confirming.isPending}
          loading={declining.isPending}
          onClick={decline}
        >
          <Trans>Decline</Trans>
        </Button>
        <Button
          {...(isDangerous && { color: 'red' })}
          disabled={isPending}
          loading={confirming.isPending}
          onClick={confirm}
        >
          {words.confirm}
        </Button>
      </Group>
    </Stack>
  );
}
