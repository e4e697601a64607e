import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Facts } from '#web/components/facts.tsx';
import classes from './guide.module.css';

interface GuideSectionProps {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of the guide under its title. */
export function GuideSection({ id, title, children }: GuideSectionProps) {
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      {children}
    </section>
  );
}

interface GuideRowsProps {
  readonly rows: readonly { readonly name: string; readonly value: ReactNode }[];
}

/** Names with their values, a row each. */
export function GuideRows({ rows }: GuideRowsProps) {
  return <Facts layout="lines" className={classes.rows} facts={rows} />;
}
