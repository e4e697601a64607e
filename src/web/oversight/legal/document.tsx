import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatDay } from '#contract/base/locale.ts';
import { paths } from '#contract/base/pages.ts';
import { Surface } from '#web/components/surface.tsx';
import classes from './document.module.css';
import { LAST_UPDATED } from './facts.ts';

export interface Section {
  /** The anchor in the address: `#fees`. */
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
}

interface DocumentProps {
  /** The text in a few sentences. */
  readonly summary: ReactNode;
  readonly sections: readonly Section[];
}

/** A legal text: summary, table of contents, numbered sections, and a link home. */
export function Document({ summary, sections }: DocumentProps) {
  return (
    <>
      <Text c="dimmed" fz="sm" mt={-8} mb={24}>
        <Trans>
          Last updated: <time dateTime={LAST_UPDATED}>{formatDay(LAST_UPDATED)}</time>
        </Trans>
        <br />
        <Trans>
          The English and the French version of this text have equal force; where they differ, the one you
          accepted applies, and for people in Québec the French one.
        </Trans>
      </Text>
      <div className={classes.layout}>
        <nav aria-label={t`Contents`} className={classes.contents}>
          <h2>
            <Trans>Contents</Trans>
          </h2>
          <ol>
            {sections.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ol>
        </nav>
        <article className={classes.text}>
          <Surface component="p" px={20} mb={32}>
            <strong>
              <Trans>In short.</Trans>
            </strong>{' '}
            {summary}
          </Surface>
          {sections.map(({ id, title, body }, index) => (
            <section key={id} aria-labelledby={id}>
              <Title order={2} id={id} size="h3" className={classes.heading}>
                {index + 1}. {title}
              </Title>
              {body}
            </section>
          ))}
          <Anchor component={Link} to={paths.home} fw={600} className={classes.home}>
            <IconArrowLeft size={18} aria-hidden="true" /> <Trans>Return to Home</Trans>
          </Anchor>
        </article>
      </div>
    </>
  );
}
