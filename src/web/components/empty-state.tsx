import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyTableDrawing } from './drawing.tsx';

interface EmptyStateProps {
  readonly title: string;
  readonly text?: string;
  readonly drawing?: ReactNode;
  /** The next step, as a button. */
  readonly action?: ReactNode;
  readonly titleOrder?: 2 | 3;
}

/** Shown for an empty list: what that means, and what to do next. */
export function EmptyState({ title, text, drawing, action, titleOrder = 2 }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py={48} px="md" ta="center">
      {drawing ?? <EmptyTableDrawing />}
      <Title order={titleOrder} size="h3">
        {title}
      </Title>
      {text && (
        <Text c="dimmed" maw={440}>
          {text}
        </Text>
      )}
      {action}
    </Stack>
  );
}
