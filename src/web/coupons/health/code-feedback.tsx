import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { type CodeFeedback, FEEDBACK_DAYS } from '#contract/coupons/code-feedback.ts';
import { timeAgo, useNow } from '#web/lib/time-ago.ts';

/** 'Last worked: 2 hours ago. Worked for 3 of 4 in the last 30 days.' Null where nobody has said anything. */
export function feedbackText({ worked, failed, lastWorkedAt }: CodeFeedback, now: Date): string | null {
  const count = worked + failed;
  const latest = lastWorkedAt && t`Last worked: ${timeAgo(lastWorkedAt, now)}.`;
  const share = count > 0 && t`Worked for ${worked} of ${count} in the last ${FEEDBACK_DAYS} days.`;
  return [latest, share].filter(Boolean).join(' ') || null;
}

/** What others say of a code. */
export function FeedbackLine({ feedback }: { feedback: CodeFeedback }) {
  const text = feedbackText(feedback, useNow());
  return (
    <Text size="sm" c={text ? undefined : 'dimmed'}>
      {text ?? t`No one has said yet whether it works.`}
    </Text>
  );
}

interface FeedbackButtonsProps {
  /** What the viewer has said so far. */
  readonly own: boolean | null;
  /** The code's offer or coupon, for people who cannot see it. */
  readonly title: string;
  readonly isPending: boolean;
  readonly onTell: (worked: boolean) => void;
}

/** Asks whether a code worked; another press changes the answer. */
export function FeedbackButtons({ own, title, isPending, onTell }: FeedbackButtonsProps) {
  return (
    <fieldset disabled={isPending}>
      <Text component="legend" fz="sm" fw={600} mb={4}>
        <Trans>
          Did it work?<VisuallyHidden> {title}</VisuallyHidden>
        </Trans>
      </Text>
      <Group gap={8}>
        <Button
          size="compact-sm"
          variant={own === true ? 'light' : 'default'}
          color={own === true ? 'green' : undefined}
          aria-pressed={own === true}
          leftSection={<IconThumbUp size={16} aria-hidden="true" />}
          onClick={() => onTell(true)}
        >
          <Trans>Worked</Trans>
        </Button>
        <Button
          size="compact-sm"
          variant={own === false ? 'light' : 'default'}
          color={own === false ? 'red' : undefined}
          aria-pressed={own === false}
          leftSection={<IconThumbDown size={16} aria-hidden="true" />}
          onClick={() => onTell(false)}
        >
          <Trans>Didn’t work</Trans>
        </Button>
      </Group>
    </fieldset>
  );
}
