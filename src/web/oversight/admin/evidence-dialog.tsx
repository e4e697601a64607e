import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { CopyButton } from '#web/components/copy-button.tsx';
import { Dialog, DialogFooter } from '#web/components/dialog.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import { useEvidence } from './queries.ts';

/** The text for the answer to a dispute. */
export function Component({ paymentId }: { paymentId: number }) {
  const query = useEvidence(paymentId);
  return (
    <Dialog title={t`Evidence for the bank`} size="xl">
      <QueryContent
        query={query}
        errorTitle={t`Failed to load the evidence`}
        skeleton={<Skeleton height={320} />}
      >
        {({ text, dueAt }) => (
          <Stack>
            <Text>
              {dueAt === null
                ? t`Send this text in the provider’s dashboard. It does not contain the code.`
                : t`Send this text in the provider’s dashboard before ${formatDateTime(dueAt)}. It does not contain the code.`}
            </Text>
            <Textarea label={t`Evidence`} value={text} readOnly rows={14} resize="vertical" />
            <DialogFooter cancelLabel={t`Done`}>
              <CopyButton text={text} done={[t`Evidence copied`]}>
                <Trans>Copy</Trans>
              </CopyButton>
            </DialogFooter>
          </Stack>
        )}
      </QueryContent>
    </Dialog>
  );
}
