import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { marketName } from '#contract/base/market.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { RootList } from '#web/oversight/proofs/root-list.tsx';
import { StatementCheck } from '#web/oversight/proofs/statement-check.tsx';

/** Where everybody checks a statement of who has seen a code, and finds the daily roots. */
export function Component() {
  return (
    <PageShell
      title={PAGES.proofs.title()}
      text={t`Check who has been shown a code. Your browser does it: you need not take our word.`}
      size="md"
    >
      <Stack gap={48}>
        <StatementCheck />
        <section aria-labelledby="how">
          <Title order={2} size="h3" id="how" mb="sm">
            <Trans>What is checked</Trans>
          </Title>
          <Stack gap="sm">
            <Text>
              <Trans>
                Every time a code is listed, shown or handed over here, we add an entry. Each entry carries
                the fingerprint of the one before it, so nobody can take one out, change one or slip one in
                later without breaking all that follow. That includes us.
              </Trans>
            </Text>
            <Text>
              <Trans>
                A statement is a signed copy of these entries. It names no one and has no code in it. Keep it:
                the more people hold statements, the harder it is to change what they say.
              </Trans>
            </Text>
            <Text>
              <Trans>
                It covers {ph({ market: marketName() })} only.{' '}
                <Anchor component={Link} to={paths.risks} inherit underline="always">
                  Nobody can know
                </Anchor>{' '}
                whether someone took a photo of the code, or used it elsewhere.
              </Trans>
            </Text>
          </Stack>
        </section>
        <section aria-labelledby="roots">
          <Title order={2} size="h3" id="roots" mb="sm">
            <Trans>Daily roots</Trans>
          </Title>
          <Text mb="md">
            <Trans>
              Once a day we publish one fingerprint of all entries, of our ledger, and of the{' '}
              <Anchor component={Link} to={paths.openBooks} inherit underline="always">
                open books
              </Anchor>
              . Copy one, and you can prove later that we changed something from before it.
            </Trans>
          </Text>
          <RootList />
          <Text size="sm" mt="md">
            <Trans>
              For programs:{' '}
              <Anchor inherit underline="always" href="/.well-known/jwks.json">
                our public keys
              </Anchor>{' '}
              and{' '}
              <Anchor inherit underline="always" href="/api/proofs/roots">
                all daily roots
              </Anchor>
              .
            </Trans>
          </Text>
        </section>
      </Stack>
    </PageShell>
  );
}
