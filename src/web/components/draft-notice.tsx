import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';

interface DraftNoticeProps {
  readonly isOffered: boolean;
  readonly startOver: () => void;
  /** What has to be typed again. */
  readonly missing?: string;
}

/** Says that a form holds what was typed before, and offers an empty one. */
export function DraftNotice({ isOffered, startOver, missing }: DraftNoticeProps) {
  if (!isOffered) return null;
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm" role="status">
        <Trans>We kept what you typed earlier. {missing}</Trans>
      </Text>
      <Button variant="default" size="xs" onClick={startOver}>
        <Trans>Start over</Trans>
      </Button>
    </Group>
  );
}
