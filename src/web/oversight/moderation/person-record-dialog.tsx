import { t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { Dialog, DialogFooter } from '#web/components/dialog.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { PersonRecord } from './person-record.tsx';

interface PersonRecordDialogProps {
  readonly id: number;
  readonly username: string;
}

/** A person's record, for moderators and admins. */
export function Component({ id, username }: PersonRecordDialogProps) {
  const query = trpc.moderation.personRecord.useQuery({ id });
  return (
    <Dialog title={t`Record of ${username}`} size="lg">
      <QueryContent
        query={query}
        errorTitle={t`Failed to load the record`}
        skeleton={<Skeleton height={420} />}
      >
        {(record) => <PersonRecord record={record} />}
      </QueryContent>
      <DialogFooter cancelLabel={t`Done`} />
    </Dialog>
  );
}
