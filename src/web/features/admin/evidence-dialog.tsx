import { Button, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { Dialog, DialogFooter } from '#web/components/dialog.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { copyText } from '#web/lib/clipboard.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useEvidence } from './queries.ts';

/** The text for the answer to a dispute. */
export function Component({ paymentId }: { paymentId: number }) {
  const query = useEvidence(paymentId);
  return (
    <Dialog title="Evidence for the bank" size="xl">
      <QueryContent
        query={query}
        errorTitle="Failed to load the evidence"
        skeleton={<Skeleton height={320} />}
      >
        {({ text, dueAt }) => (
          <Stack>
            <Text>
              Send this text in the provider’s dashboard
              {dueAt === null ? '' : ` before ${formatDateTime(dueAt)}`}. It does not contain the code.
            </Text>
            <Textarea label="Evidence" value={text} readOnly rows={14} resize="vertical" />
            <DialogFooter cancelLabel="Done">
              <Button leftSection={<IconCopy size={16} aria-hidden="true" />} onClick={() => copy(text)}>
                Copy
              </Button>
            </DialogFooter>
          </Stack>
        )}
      </QueryContent>
    </Dialog>
  );
}

async function copy(text: string): Promise<void> {
  if (await copyText(text)) toasts.success('Evidence copied');
  else
    toasts.failure('Not copied', 'Your browser does not allow copying. Select the text and copy it by hand.');
}
