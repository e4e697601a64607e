import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Group, Text, Title } from '@mantine/core';
import { IconExternalLink, IconSend } from '@tabler/icons-react';
import { TEXTS } from '#contract/base/texts.ts';
import type { SitemapSubmission } from '#contract/oversight/operations.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { Surface } from '#web/components/surface.tsx';
import { writeErrorText } from '#web/lib/errors.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import classes from './admin.module.css';

const CONSOLES = [
  { name: t`Google Search Console`, url: 'https://search.google.com/search-console' },
  { name: t`Bing Webmaster Tools`, url: 'https://www.bing.com/webmasters' },
] as const;

/** Submits the sitemap to search engines (spec/3 section 2). */
export function SeoPanel() {
  const submit = trpc.admin.submitSitemap.useMutation();
  const press = () =>
    submit.mutate(undefined, {
      onSuccess: ({ success, engines }) => {
        if (!engines.some(({ isSetUp }) => isSetUp))
          toasts.neutral(t`No search engine is set up`, t`They will still find the sitemap, just later.`);
        else if (success) toasts.success(t`Sitemap submitted`, t`At least one search engine accepted it.`);
        // Each engine's answer below says why.
        else toasts.failure(TEXTS.admin.submissionFailed(), TEXTS.admin.submissionFailedText());
      },
      onError: (error) =>
        toasts.failure(
          TEXTS.admin.submissionFailed(),
          writeErrorText(error, TEXTS.admin.submissionFailedText()),
        ),
    });
  return (
    <div className={classes.columns}>
      <Surface component="section" aria-labelledby="sitemap">
        <Title order={2} size="h4" id="sitemap">
          <Trans>Sitemap</Trans>
        </Title>
        <Text c="dimmed" mt={4} mb="md">
          <Trans>
            The sitemap lists every public page and coupon and is always up to date. Search engines find it on
            their own, but sooner if you submit it.
          </Trans>
        </Text>
        <Group gap="sm">
          <Button
            leftSection={<IconSend size={18} aria-hidden="true" />}
            loading={submit.isPending}
            onClick={press}
          >
            <Trans>Submit sitemap</Trans>
          </Button>
          <Button
            component="a"
            href="/sitemap.xml"
            target="_blank"
            rel="noopener"
            variant="default"
            rightSection={<IconExternalLink size={16} role="img" aria-label={t`(opens in a new tab)`} />}
          >
            <Trans>View sitemap</Trans>
          </Button>
        </Group>
        <div role="status">{submit.data && <Result submission={submit.data} />}</div>
      </Surface>
      <Surface component="section" aria-labelledby="consoles">
        <Title order={2} size="h4" id="consoles">
          <Trans>Search-console tools</Trans>
        </Title>
        <Text c="dimmed" mt={4} mb="xs">
          <Trans>See your site the way search engines do.</Trans>
        </Text>
        <PlainList className={classes.links}>
          {CONSOLES.map(({ name, url }) => (
            <li key={url}>
              <a href={url} target="_blank" rel="noopener noreferrer">
                {name} <IconExternalLink size={16} role="img" aria-label={t`(opens in a new tab)`} />
              </a>
            </li>
          ))}
        </PlainList>
      </Surface>
    </div>
  );
}

/** The answer of each search engine. */
function Result({ submission }: { submission: SitemapSubmission }) {
  const { engines, time, error } = submission;
  return (
    <Box mt={16} pt={12} style={{ borderTop: '1px dashed var(--line)' }}>
      <Text size="sm" c="dimmed">
        <Trans>Submitted {formatDateTime(time)}</Trans>
      </Text>
      {error && <Text size="sm">{error}</Text>}
      <PlainList className={classes.engines} aria-label={t`Search engines`}>
        {engines.map(({ name, isSetUp, success, message }) => (
          <li key={name}>
            <strong>{name}</strong>
            {isSetUp ? (
              <ToneBadge tone={success ? 'success' : 'danger'}>
                {success ? t({ context: 'sitemap', message: 'Accepted' }) : t`Not accepted`}
              </ToneBadge>
            ) : (
              <ToneBadge tone="neutral">
                <Trans>Not set up</Trans>
              </ToneBadge>
            )}
            <span className={classes.hint}>{message}</span>
          </li>
        ))}
      </PlainList>
    </Box>
  );
}
