import { Container, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePageTitle } from '#web/lib/use-page-title.ts';

interface PageShellProps {
  readonly title: string;
  readonly text?: string;
  /** The page's primary act. */
  readonly action?: ReactNode;
  readonly size?: 'sm' | 'md' | 'lg';
  readonly children: ReactNode;
}

/** A page: its one h1, what it is for, its primary act, and the rest. */
export function PageShell({ title, text, action, size = 'lg', children }: PageShellProps) {
  usePageTitle(title);
  return (
    <Container size={size} py={{ base: 24, sm: 40 }}>
      <Group justify="space-between" align="flex-end" mb="lg" gap="md">
        <div>
          <Title order={1} fz={{ base: 'title', sm: 'display' }}>
            {title}
          </Title>
          {text && (
            <Text c="dimmed" mt={4}>
              {text}
            </Text>
          )}
        </div>
        {action}
      </Group>
      {children}
    </Container>
  );
}
