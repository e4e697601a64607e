import { Container, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { documentTitle } from '#contract/base/pages.ts';

interface PageShellProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** The page's primary button. */
  readonly action?: ReactNode;
  readonly size?: 'sm' | 'md' | 'lg';
  readonly children: ReactNode;
}

/** A page: its h1, a line about its purpose, its primary button, and the content. */
export function PageShell({ title, text, action, size = 'lg', children }: PageShellProps) {
  usePageTitle(title);
  useNamedPart();
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

/** Brings the part of the page that the address names into view: the router does it between pages only. */
export function useNamedPart(): void {
  useEffect(() => {
    const name = window.location.hash.slice(1);
    if (name && window.scrollY === 0) document.getElementById(name)?.scrollIntoView();
  }, []);
}

/** Sets the title of the browser's tab. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = documentTitle(title);
  }, [title]);
}
