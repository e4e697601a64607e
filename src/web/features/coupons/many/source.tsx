import { Anchor, Button, FileButton, Group, Input, Text, Textarea } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { TABLE_ROWS_MAX } from '#contract/coupon-tables.ts';
import { Surface } from '#web/components/surface.tsx';
import classes from './many.module.css';
import { TABLE_FILES } from './read-file.ts';
import { TEMPLATE } from './rows.ts';

interface SourceProps {
  /** Whether it is the next step: there are no rows yet. */
  readonly isFirst: boolean;
  readonly isPending: boolean;
  /** Why the last file or text could not be read. */
  readonly problem: string | null;
  readonly onFile: (file: File) => void;
  /** @returns whether its rows were read: then it is no longer needed */
  readonly onText: (text: string) => Promise<boolean>;
  readonly onBlankRow: () => void;
}

/** Where the rows come from: a spreadsheet, pasted lines, or the keyboard. */
export function Source({ isFirst, isPending, problem, onFile, onText, onBlankRow }: SourceProps) {
  const [text, setText] = useState('');
  const [isOver, setIsOver] = useState(false);
  const forget = useRef<() => void>(null);
  const choose = (file: File | null) => {
    // Otherwise choosing the same file again would fire no change event.
    forget.current?.();
    if (file) onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    choose(event.dataTransfer.files.item(0));
  };
  const addLines = async () => {
    if (await onText(text)) setText('');
  };
  return (
    <Surface gap={16}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is the mouse's short cut to the button inside */}
      <div
        className={classes.zone}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <IconFileSpreadsheet size={28} aria-hidden="true" />
        <Text size="sm">
          Drop a spreadsheet here, or choose one: XLSX or CSV, one coupon a row, up to {TABLE_ROWS_MAX}. We
          understand columns such as merchant, title, value, code and expiry date.{' '}
          <Anchor
            inherit
            underline="always"
            download="coupons.csv"
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(TEMPLATE)}`}
          >
            Download a template
          </Anchor>
        </Text>
        <FileButton
          accept={TABLE_FILES}
          resetRef={forget}
          onChange={choose}
          inputProps={{ 'aria-label': 'Spreadsheet: file' }}
        >
          {(button) => (
            <Button variant={isFirst ? 'filled' : 'default'} loading={isPending} {...button}>
              Choose spreadsheet
            </Button>
          )}
        </FileButton>
      </div>
      <Textarea
        label="Or paste rows"
        description="From a spreadsheet, an email or a list: one coupon a line, or just one code a line"
        placeholder="Corner Coffee, $4.50, LATTE-1, 2027-12-31"
        rows={4}
        resize="vertical"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {problem !== null && <Input.Error role="alert">{problem}</Input.Error>}
      <Group gap="sm">
        <Button variant="default" loading={isPending} disabled={text.trim() === ''} onClick={addLines}>
          Add these rows
        </Button>
        <Button variant="subtle" color="gray" onClick={onBlankRow}>
          Add an empty row
        </Button>
      </Group>
    </Surface>
  );
}
