import { t } from '@lingui/core/macro';
import { Alert, Text } from '@mantine/core';
import type { Draft } from '#contract/coupons/drafts.ts';
import { leftOutText } from '#contract/coupons/left-out.ts';

/** So many sentences are said of one email. */
const SENTENCES_MAX = 5;

/** What of the emails behind the drafts was not read. */
export function DraftsLeftOut({ drafts }: { readonly drafts: readonly Draft[] }) {
  const mails = new Map<string, readonly string[]>();
  for (const { from, subject, leftOut } of drafts)
    if (leftOut.length > 0)
      mails.set([from, subject].filter(Boolean).join(': '), [...new Set(leftOut.map(leftOutText))]);
  if (mails.size === 0) return null;
  return (
    <Alert color="yellow" title={t`What we left out of your email`}>
      {[...mails].map(([source, sentences]) => (
        <div key={source}>
          <Text size="sm" fw={600}>
            {source}
          </Text>
          {sentences.slice(0, SENTENCES_MAX).map((sentence) => (
            <Text key={sentence} size="sm">
              {sentence}
            </Text>
          ))}
          {sentences.length > SENTENCES_MAX && (
            <Text size="sm">{t`And ${sentences.length - SENTENCES_MAX} more.`}</Text>
          )}
        </div>
      ))}
    </Alert>
  );
}
