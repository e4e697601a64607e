import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { SearchDrawing } from './drawing.tsx';
import { EmptyState } from './empty-state.tsx';
import { PageShell } from './page-shell.tsx';

interface NotFoundProps {
  /** The title of the page. */
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  /** The next step. */
  readonly next: { readonly to: string; readonly label: string };
}

/** The page of a thing that does not exist, or no longer. */
export function NotFound({ title, heading, text, next }: NotFoundProps) {
  return (
    <PageShell title={title} size="md">
      <EmptyState
        title={heading}
        text={text}
        drawing={<SearchDrawing />}
        action={
          <Button component={Link} to={next.to}>
            {next.label}
          </Button>
        }
      />
    </PageShell>
  );
}
