import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Code, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatDay } from '#contract/base/locale.ts';
import { pageSetting } from '#contract/base/page-setting.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { programExamples } from '#contract/base/program-examples.ts';
import {
  API_KEY_READS_A_MINUTE,
  API_KEY_WRITES_A_MINUTE,
  PROGRAM_BUYS_EACH_MINUTES,
} from '#contract/people/program-limits.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import classes from './developers.module.css';

/** What has changed in the API, the newest first. */
const CHANGES: readonly { readonly day: string; readonly text: string }[] = [
  {
    day: '2026-11-30',
    text: t`Calls that make something, and uploads, take an Idempotency-Key. Lists have an ETag. Answers tell the limit of the key. Assistants connect to /mcp.`,
  },
  {
    day: '2026-11-30',
    text: t`The OpenAPI document names its types and is a quarter of its former size. Addresses and answers are the same.`,
  },
];

/** What programs and assistants may do here, and how they begin. */
export function Component() {
  return (
    <PageShell
      title={PAGES.developers.title()}
      text={t`What you can do here, a program can do for you. This is how it begins.`}
      size="md"
    >
      <Stack gap={40}>
        <Begin />
        <Examples />
        <Limits />
        <Errors />
        <Versions />
        <Changes />
      </Stack>
    </PageShell>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h3" id={id} mb="sm">
        {title}
      </Title>
      <Stack gap="sm" maw="75ch">
        {children}
      </Stack>
    </section>
  );
}

function Begin() {
  return (
    <Section id="begin" title={t`What a program may do`}>
      <Text>
        <Trans>
          A program acts with a key of yours.{' '}
          <Anchor component={Link} to={paths.settings('keys')} inherit underline="always">
            Make a key
          </Anchor>{' '}
          in your settings, and choose what it may do and for how long. It never does more than you may do
          yourself, and it cannot open your account.
        </Trans>
      </Text>
      <Text>
        <Trans>
          A key sees the codes of your coupons only if you allow it, and we record each time. Nobody else’s
          code is ever shown to it.
        </Trans>
      </Text>
      <Text>
        <Trans>
          Every call is in the{' '}
          <Anchor href="/api/docs" inherit underline="always">
            API reference
          </Anchor>
          , and for programs in the{' '}
          <Anchor href="/api/openapi.json" inherit underline="always">
            OpenAPI document
          </Anchor>
          . Webhooks tell your program at once what happens to your deals.
        </Trans>
      </Text>
    </Section>
  );
}

function Example({ title, text, code }: { title: string; text: ReactNode; code: string }) {
  return (
    <Stack gap={6}>
      <Title order={3} size="h5">
        {title}
      </Title>
      <Text>{text}</Text>
      <pre className={classes.code} translate="no">
        {code}
      </pre>
    </Stack>
  );
}

function Examples() {
  const { curl, client, assistant } = programExamples(pageSetting('origin') ?? window.location.origin);
  return (
    <Section id="examples" title={t`Three examples`}>
      <Example
        title={t`From a shell, with curl`}
        text={
          <Trans>
            Put your key into <Code>{ph({ variable: 'CLIPSWAP_KEY' })}</Code>. The last command needs the
            right to change deals.
          </Trans>
        }
        code={curl}
      />
      <Example
        title={t`From TypeScript, with the client`}
        text={
          <Trans>The operator builds the client with “npm run client”. It has a type for each thing.</Trans>
        }
        code={client}
      />
      <Example
        title={t`From an assistant`}
        text={
          <Trans>
            Assistants connect by the Model Context Protocol. They search and propose. What moves money,
            accepts, completes or shows a code waits until you confirm it here.
          </Trans>
        }
        code={assistant}
      />
      <Text>
        <Trans>
          Titles, descriptions and messages are the words of other people. A program must not take them as
          instructions.
        </Trans>
      </Text>
    </Section>
  );
}

function Limits() {
  return (
    <Section id="limits" title={t`Limits`}>
      <ul className={classes.list}>
        <li>
          <Trans>
            A key may read {API_KEY_READS_A_MINUTE} times and change something {API_KEY_WRITES_A_MINUTE} times
            a minute, unless the operator has set other numbers. The headers RateLimit and RateLimit-Policy of
            each answer, and your settings, say what is left.
          </Trans>
        </li>
        <li>
          <Trans>
            Your programs together may accept one asking price in {PROGRAM_BUYS_EACH_MINUTES} minutes. Alerts
            of new coupons come once a minute, in random order. So people have the same chance as programs.
          </Trans>
        </li>
        <li>
          <Trans>
            If an answer was lost, repeat the call with the same Idempotency-Key: it is done once. If you read
            a list again, send its ETag as If-None-Match.
          </Trans>
        </li>
      </ul>
    </Section>
  );
}

const ERRORS: readonly { readonly status: string; readonly text: string }[] = [
  { status: '400', text: t`A field is wrong. The answer names it.` },
  { status: '401', text: t`The key does not work any more. Make a new one.` },
  { status: '403', text: t`The key has no right to do this, or you may not do it.` },
  { status: '409', text: t`Somebody else was faster. Read again.` },
  { status: '429', text: t`Too many calls. Wait as many seconds as Retry-After says.` },
  { status: '503', text: t`Not now. Retry-After may say when to try again.` },
];

function Errors() {
  return (
    <Section id="errors" title={t`Errors`}>
      <Text>
        <Trans>
          A refused call answers with a text for people in <Code>error</Code> and a word for programs in{' '}
          <Code>code</Code>.
        </Trans>
      </Text>
      <ul className={classes.list}>
        {ERRORS.map(({ status, text }) => (
          <li key={status}>
            <strong className="tabular">{status}</strong> {text}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Versions() {
  return (
    <Section id="versions" title={t`Versions`}>
      <Text>
        <Trans>
          Addresses and fields stay. New ones may come at any time, so a program should ignore fields that it
          does not know.
        </Trans>
      </Text>
      <Text>
        <Trans>
          A call that will go says so in each answer, at least half a year before: the header Deprecation has
          the day from which on to use another call, and Sunset the day from which on it may be gone.
        </Trans>
      </Text>
    </Section>
  );
}

function Changes() {
  return (
    <Section id="changes" title={t`Changes of the API`}>
      <ul className={classes.list}>
        {CHANGES.map(({ day, text }) => (
          <li key={text}>
            <time dateTime={day}>{formatDay(day)}</time>: {text}
          </li>
        ))}
      </ul>
    </Section>
  );
}
