import { t } from '@lingui/core/macro';
import { Anchor, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Markdown from 'markdown-to-jsx/react';
import type { ComponentProps } from 'react';
import { Link } from 'react-router-dom';
import { OWN_TEXT_QUERY } from '#contract/base/legal-texts.ts';
import { QueryContent } from '#web/components/query-content.tsx';
import { answerKey } from '#web/lib/query-client.ts';
import classes from './document.module.css';

/** @throws Error when it cannot be loaded */
async function readText(file: string): Promise<string> {
  const answer = await fetch(`/legal/${file}.md`);
  if (!answer.ok) throw new Error(`The text ${file} was answered with ${answer.status}`);
  return answer.text();
}

/** A link of the text: those to pages of this site do not load the application again, and unsafe ones have no address. */
function TextLink({ href, children, title }: ComponentProps<'a'>) {
  if (!href) return children;
  const isHere = /^\/(?!\/)/.test(href);
  return isHere ? (
    <Anchor component={Link} to={href} title={title} inherit underline="always">
      {children}
    </Anchor>
  ) : (
    <Anchor href={href} title={title} inherit underline="always">
      {children}
    </Anchor>
  );
}

/** Its headings lie below the page's own. HTML in the text is shown as it is written. */
const OPTIONS = {
  disableParsingRawHTML: true,
  forceBlock: true,
  overrides: { a: TextLink, h1: { component: 'h2' } },
} as const;

/** A legal text of the operator. @param file its name without the ending, such as 'terms.en' */
export function OwnText({ file }: { readonly file: string }) {
  const query = useQuery({
    queryKey: answerKey(OWN_TEXT_QUERY, file),
    queryFn: () => readText(file),
    staleTime: 'static',
  });
  return (
    <QueryContent query={query} errorTitle={t`This text could not be loaded`} skeleton={<Skeleton h={400} />}>
      {(text) => (
        <article className={classes.text} lang={file.slice(-2)}>
          <Markdown options={OPTIONS}>{text}</Markdown>
        </article>
      )}
    </QueryContent>
  );
}
