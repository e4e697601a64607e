import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { openDialog } from '#web/lib/open-dialog.ts';

/** Opens the record of a person, for moderators. */
export function RecordButton(person: { readonly id: number; readonly username: string }) {
  return (
    <Button
      variant="subtle"
      color="gray"
      c="inherit"
      aria-haspopup="dialog"
      onClick={() => openDialog('personRecord', person)}
    >
      <Trans>Record of {person.username}</Trans>
    </Button>
  );
}
