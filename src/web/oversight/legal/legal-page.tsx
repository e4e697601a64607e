import { Trans } from '@lingui/react/macro';
import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { marketCompany } from '#contract/base/company.ts';
import { type LegalPage as LegalPageName, OWN_TEXTS_META } from '#contract/base/legal-texts.ts';
import { pageSetting } from '#contract/base/page-setting.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { OwnText } from './own-text.tsx';

/** The file of the operator's text in place of ours, as the server says in the head of the page. */
function ownTextFor(page: LegalPageName): string | undefined {
  return pageSetting(OWN_TEXTS_META)
    ?.split(' ')
    .find((file) => file.startsWith(`${page}.`));
}

interface LegalPageProps {
  readonly page: LegalPageName;
  readonly title: string;
  /** The text of a market whose operator has none of their own. */
  readonly children: ReactNode;
}

/** A page with a legal text: the operator's, or ours. */
export function LegalPage({ page, title, children }: LegalPageProps) {
  const file = ownTextFor(page);
  return (
    <PageShell title={title}>
      {file ? <OwnText file={file} /> : children}
      <CompanyFoot />
    </PageShell>
  );
}

/** Who runs this market, where its operator says it. */
function CompanyFoot() {
  const company = marketCompany();
  if (!company) return null;
  const { name, address, taxNumber, email } = company;
  return (
    <Text component="address" size="sm" c="dimmed" mt={40} fs="normal">
      {[name, ...address].join(', ')}
      {taxNumber !== undefined && (
        <>
          <br />
          <Trans>Tax number: {taxNumber}</Trans>
        </>
      )}
      {email !== undefined && (
        <>
          <br />
          <Anchor href={`mailto:${email}`}>{email}</Anchor>
        </>
      )}
    </Text>
  );
}
