import { Button, Progress } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { IMPORT_ALL_MAX } from '#contract/discover.ts';
import { TEXTS } from '#contract/texts.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import classes from './discover.module.css';
import { useImportAll } from './queries.ts';

interface ImportAllProps {
  readonly merchant: string;
  /** How many offers the merchant has. */
  readonly total: number;
}

/** Takes a merchant's offers into the viewer's own coupons, as many as go at once; says how many they were. */
export function ImportAll({ merchant, total }: ImportAllProps) {
  const importAll = useImportAll({
    onSuccess: (count) => {
      if (count === 0) toasts.neutral('Nothing new to import', 'You have all of these in My Coupons.');
      else
        toasts.success(`${count} ${count === 1 ? 'coupon' : 'coupons'} imported`, afterwards(count, total));
    },
    onError: (error) =>
      toasts.failure(TEXTS.discover.importFailed, writeErrorText(error, TEXTS.discover.importAllFailedText)),
  });
  if (importAll.isPending) {
    return (
      <div className={classes.progress} role="status">
        Importing {Math.min(total, IMPORT_ALL_MAX)} offers …
        <Progress value={100} animated striped aria-label={`Importing the offers of ${merchant}`} />
      </div>
    );
  }
  return (
    <Button
      leftSection={<IconDownload size={18} aria-hidden="true" />}
      onClick={() => importAll.mutate({ merchant })}
    >
      Import All
    </Button>
  );
}

function afterwards(count: number, total: number): string {
  return count === IMPORT_ALL_MAX && total > IMPORT_ALL_MAX
    ? `${IMPORT_ALL_MAX} go at once. Press Import All again for the next ones.`
    : 'You find them in My Coupons.';
}
