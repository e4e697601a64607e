import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, FileButton, Group, Input, Text, Textarea } from '@mantine/core';
import { IconFileSpreadsheet, IconScan } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { TABLE_ROWS_MAX } from '#contract/coupons/coupon-tables.ts';
import { DropZone } from '#web/components/drop-zone.tsx';
import { Surface } from '#web/components/surface.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { ACCEPTED } from '#web/lib/upload.ts';
import classes from './many.module.css';
import { TABLE_FILES } from './read-file.ts';
import { TEMPLATE } from './rows.ts';

interface SourceProps {
  /** Whether it is the next step: there are no rows yet. */
  readonly isFirst: boolean;
  /** What is being read; null: nothing. */
  readonly status: string | null;
  /** Why files or lines could not be read. */
  readonly problems: readonly string[];
  readonly onFiles: (files: readonly File[]) => void;
  /** @returns whether its rows were read: then it is no longer needed */
  readonly onText: (text: string) => Promise<boolean>;
  /** Codes were scanned with the camera. */
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onBlankRow: () => void;
}

/** Where the rows come from: a spreadsheet, pasted lines, or the keyboard. */
export function Source({ isFirst, status, problems, onFiles, onText, onCodes, onBlankRow }: SourceProps) {
  const [text, setText] = useState('');
  const forget = useRef<() => void>(null);
  const isPending = status !== null;
  const choose = (files: readonly File[]) => {
    // Otherwise choosing the same file again would fire no change event.
    forget.current?.();
    if (files.length > 0 && !isPending) onFiles(files);
  };
  const addLines = async () => {
    if (await onText(text)) setText('');
  };
  return (
    <Surface gap={16}>
      <DropZone onFiles={choose} className={classes.zone}>
        <IconFileSpreadsheet size={28} aria-hidden="true" />
        <Text size="sm">
          <Trans>
            Drop a spreadsheet here (XLSX or CSV, one coupon a row, up to {TABLE_ROWS_MAX}), or pictures, PDFs
            and wallet passes of your coupons.{' '}
            <Anchor
              inherit
              underline="always"
              download="coupons.csv"
              href={`data:text/csv;charset=utf-8,${encodeURIComponent(TEMPLATE)}`}
            >
              Download a spreadsheet to fill in
            </Anchor>
          </Trans>
        </Text>
        <FileButton
          multiple
          accept={`${TABLE_FILES},${ACCEPTED.code}`}
          resetRef={forget}
          onChange={choose}
          inputProps={{ 'aria-label': t`Files with coupons` }}
        >
          {(button) => (
            <Button variant={isFirst ? 'filled' : 'default'} loading={isPending} {...button}>
              <Trans>Choose files</Trans>
            </Button>
          )}
        </FileButton>
        <Text size="sm" role="status" className={classes.status}>
          {status}
        </Text>
      </DropZone>
      <Textarea
        label={t`Or paste rows`}
        description={t`From a spreadsheet, an email or a list: one coupon a line, or just one code a line`}
        placeholder={t`Corner Coffee, $4.50, LATTE-1, 2027-12-31`}
        rows={4}
        resize="vertical"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {problems.map((problem) => (
        <Input.Error key={problem} role="alert">
          {problem}
        </Input.Error>
      ))}
      <Group gap="sm">
        <Button variant="default" loading={isPending} disabled={text.trim() === ''} onClick={addLines}>
          <Trans>Add these rows</Trans>
        </Button>
        {'mediaDevices' in navigator && (
          <Button
            variant="default"
            leftSection={<IconScan size={18} aria-hidden="true" />}
            onClick={() =>
              openDialog('scanCodes', { onDone: (codes) => onCodes(codes.map((code) => code.text)) })
            }
          >
            <Trans>Scan codes</Trans>
          </Button>
        )}
        <Button variant="subtle" color="gray" onClick={onBlankRow}>
          <Trans>Add an empty row</Trans>
        </Button>
      </Group>
    </Surface>
  );
}
