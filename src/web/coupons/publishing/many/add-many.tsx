import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Alert,
  Button,
  Group,
  Progress,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useCallback, useMemo, useRef } from 'react';
import type { TableCoupon } from '#contract/coupons/coupon-tables.ts';
import { leftOutText } from '#contract/coupons/left-out.ts';
import { DraftNotice } from '#web/components/draft-notice.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { takeScanned } from '#web/coupons/form/scanned-codes.ts';
import { UnsavedGuard } from '#web/coupons/form/unsaved-guard.tsx';
import { useDialogLink } from '#web/lib/dialog-link.ts';
import { pageConfig } from '#web/lib/page-config.ts';
import { CommonFields } from './common-fields.tsx';
import { CouponRow } from './coupon-row.tsx';
import { DraftsLeftOut } from './drafts-left-out.tsx';
import { ListedPanel } from './listed-panel.tsx';
import { type Listed, useListing } from './listing.ts';
import { MailAddress } from './mail-address.tsx';
import classes from './many.module.css';
import {
  type Common,
  changed,
  type Errors,
  errorsOf,
  hasGaps,
  isUnsaved,
  NO_COMMON,
  newRow,
  payloadOf,
  type Row,
  repeatedCodes,
  repeatOf,
} from './rows.ts';
import { Source } from './source.tsx';
import { useDrafts } from './use-drafts.ts';
import { type Reading, useReading } from './use-reading.ts';
import { useRows } from './use-rows.ts';

/** Lists many coupons at once: a table with a row a coupon, from a spreadsheet, pasted lines or the keyboard. */
export function AddMany() {
  const { work, setWork, draft } = useRows();
  const { rows, common, listed } = work;
  const table = useRef<HTMLOListElement>(null);
  const changeRows = useCallback(
    (change: (rows: readonly Row[]) => readonly Row[]) =>
      setWork((before) => ({ ...before, rows: change(before.rows) })),
    [setWork],
  );
  const reading = useReading(changeRows);
  const drafts = useDrafts(changeRows);
  useDialogLink('shared', !drafts.isLoading && reading.readShared);
  useDialogLink('scanned', !drafts.isLoading && (() => reading.addScanned(takeScanned())));
  const listing = useListing({
    onListed: (each: Listed, draftId) => {
      if (draftId !== undefined) drafts.end(draftId);
      setWork((before) => ({
        ...before,
        rows: before.rows.filter(({ key }) => key !== each.row?.key),
        listed: [...before.listed, each],
      }));
    },
    onRefused: (refused) =>
      changeRows((before) => before.map((row) => (row.key === refused.key ? refused : row))),
  });
  const unlist = (removed: Listed) =>
    setWork((before) => ({
      ...before,
      rows: removed.row ? [...before.rows, removed.row] : before.rows,
      listed: before.listed.filter(({ id }) => id !== removed.id),
    }));
  const changeCommon = (change: Partial<Common>) =>
    setWork((before) => ({ ...before, common: { ...before.common, ...change } }));
  const changeRow = useCallback(
    (key: string, change: Partial<TableCoupon>) =>
      changeRows((before) => before.map((row) => (row.key === key ? changed(row, change) : row))),
    [changeRows],
  );
  const acknowledge = useCallback(
    (rowKey: string) =>
      changeRows((before) =>
        before.map((row) => (row.key === rowKey ? { ...row, refusals: {}, deadCode: 'acknowledged' } : row)),
      ),
    [changeRows],
  );
  const { discard } = drafts;
  const remove = useCallback(
    ({ key: rowKey, draftId }: Row) => {
      changeRows((before) => before.filter(({ key }) => key !== rowKey));
      if (draftId !== undefined) void discard(draftId);
    },
    [changeRows, discard],
  );
  const startOver = () => {
    draft.startOver();
    drafts.addAll();
  };

  const errors = useErrors(rows, common);
  const repeated = useMemo(() => repeatedCodes(rows, common), [rows, common]);
  const isRepeated = (row: Row) => repeated.has(repeatOf(row, common) ?? '');
  // A refusal of the whole row, such as a limit, may be over: it is tried again.
  const isBroken = (row: Row) =>
    isRepeated(row) || Object.keys(errors.get(row) ?? {}).some((field) => field !== '');
  const ready = rows.filter((row) => !isBroken(row));
  const listAll = () => listing.list(ready.map((row) => ({ row, payload: payloadOf(row, common) })));
  const showFirstBroken = () => table.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  const source = (
    <Source
      isFirst={rows.length === 0}
      status={reading.status}
      problems={reading.problems}
      onFiles={reading.readFiles}
      onText={reading.readText}
      onCodes={reading.addScanned}
      onBlankRow={() => changeRows((before) => [...before, newRow()])}
    />
  );

  if (drafts.isLoading) return <Skeleton height={320} radius="lg" aria-busy="true" />;
  return (
    <Stack gap="lg">
      {drafts.hasFailed && <DraftsFailed onRetry={drafts.refetch} />}
      <DraftsLeftOut drafts={drafts.waiting} />
      {rows.length > 0 && (
        <DraftNotice
          isOffered={draft.isOffered}
          startOver={startOver}
          missing={t`We did not keep the codes. Choose the files again, or enter them.`}
        />
      )}
      {listed.length > 0 && <ListedPanel listed={listed} onRemoved={unlist} />}
      {rows.length === 0 && source}
      {(rows.length > 0 || reading.table?.rows.length === 0) && <ReadingNotes {...reading} />}
      {rows.length > 0 && (
        <>
          {(hasGaps(rows) || common !== NO_COMMON) && (
            <CommonFields common={common} onChange={changeCommon} />
          )}
          <section aria-labelledby="many-rows">
            <Group className={classes.bar} justify="space-between" gap="sm">
              <div>
                <Title order={2} size="h4" id="many-rows">
                  {plural(rows.length, { one: '# row', other: '# rows' })}
                </Title>
                <BrokenCount count={rows.length - ready.length} onShow={showFirstBroken} />
              </div>
              <Button disabled={ready.length === 0} loading={listing.isPending} onClick={listAll}>
                {ready.length === 0
                  ? t`List coupons`
                  : plural(ready.length, { one: 'List # coupon', other: 'List # coupons' })}
              </Button>
            </Group>
            {listing.isPending && (
              <Progress.Root size="md" mb="sm">
                <Progress.Section
                  value={(100 * listing.progress.done) / Math.max(1, listing.progress.total)}
                  aria-label={t`Listing`}
                />
              </Progress.Root>
            )}
            <div className={classes.heads} aria-hidden="true">
              {['', t`Merchant`, t`Title`, t`Value`, t`Category`, t`Expiry date`, t`Code`, ''].map(
                (head, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: they do not change
                  <span key={place}>{head}</span>
                ),
              )}
            </div>
            <PlainList component="ol" ref={table} className={classes.rows}>
              {rows.map((row, index) => (
                <li key={row.key}>
                  <CouponRow
                    row={row}
                    number={index + 1}
                    common={common}
                    errors={errors.get(row) ?? {}}
                    isRepeated={isRepeated(row)}
                    onChange={changeRow}
                    onAcknowledge={acknowledge}
                    onRemove={remove}
                  />
                </li>
              ))}
            </PlainList>
          </section>
          <Title order={2} size="h4">
            <Trans>Add more rows</Trans>
          </Title>
          {source}
          {rows.some(isUnsaved) && (
            <UnsavedGuard text={t`These coupons are not listed yet.`} onDiscard={draft.startOver} />
          )}
        </>
      )}
      {pageConfig.takesMail() && <MailAddress />}
    </Stack>
  );
}

function DraftsFailed({ onRetry }: { readonly onRetry: () => unknown }) {
  return (
    <Alert color="yellow" title={t`We could not load the coupons from your email`}>
      <Button variant="default" size="xs" onClick={onRetry}>
        <Trans>Retry</Trans>
      </Button>
    </Alert>
  );
}

/** The errors of each row; those of a row that has not changed stay the same object. */
function useErrors(rows: readonly Row[], common: Common): ReadonlyMap<Row, Errors> {
  const known = useRef<{ readonly common: Common; readonly errors: ReadonlyMap<Row, Errors> } | null>(null);
  return useMemo(() => {
    const before = known.current?.common === common ? known.current.errors : null;
    const now = new Date();
    const errors = new Map(rows.map((row) => [row, before?.get(row) ?? errorsOf(row, common, now)]));
    known.current = { common, errors };
    return errors;
  }, [rows, common]);
}

function BrokenCount({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  if (count === 0)
    return (
      <Text size="sm">
        <Trans>All rows are ready.</Trans>
      </Text>
    );
  return (
    <Group gap={4}>
      <Text size="sm" c="red">
        {plural(count, { one: '# row needs a correction.', other: '# rows need a correction.' })}
      </Text>
      <Button variant="subtle" size="compact-sm" onClick={onShow}>
        <Trans>Show the first</Trans>
      </Button>
    </Group>
  );
}

/** What the last reading left out or guessed. */
function ReadingNotes({ table, status, readInOrder }: Reading) {
  if (!table) return null;
  const { leftOut, guessedOrder } = table;
  return (
    <>
      {guessedOrder && (
        <Group gap="sm">
          <Text size="sm" id="date-order">
            <Trans>Dates such as 03/04/2030 have</Trans>
          </Text>
          <SegmentedControl
            aria-labelledby="date-order"
            disabled={status !== null}
            value={guessedOrder}
            onChange={(order) => readInOrder(order === 'dayFirst' ? 'dayFirst' : 'monthFirst')}
            data={[
              { value: 'monthFirst', label: t`the month first` },
              { value: 'dayFirst', label: t`the day first` },
            ]}
          />
        </Group>
      )}
      {leftOut.length > 0 && (
        <Alert color="yellow" title={t`What we left out`}>
          {leftOut.map(leftOutText).map((text) => (
            <Text key={text} size="sm">
              {text}
            </Text>
          ))}
        </Alert>
      )}
    </>
  );
}
