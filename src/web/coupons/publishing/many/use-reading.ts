import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { language, locale } from '#contract/base/i18n.ts';
import type { CouponTable, DateOrder } from '#contract/coupons/coupon-tables.ts';
import { dateOrderOf } from '#contract/coupons/date-order.ts';
import type { LeftOut } from '#contract/coupons/left-out.ts';
import { BLANK_COUPON } from '#contract/coupons/read-coupons.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { NOTHING_SHARED, takeShared } from '#web/lib/shared.ts';
import { isTableFile } from '#web/lib/table-file.ts';
import { trpc } from '#web/lib/trpc.ts';
import { FileProblem } from './file-problem.ts';
import { readTableFile } from './read-file.ts';
import { fittingText, joined, newRow, type Row } from './rows.ts';

/** The order of dates in the language of the page, as people write it where the reader is. */
function localDateOrder(): DateOrder {
  // Some systems name a language in a way that `Intl` refuses: en-US@posix.
  const local = (globalThis.navigator?.languages ?? []).find(
    (name) => name.split('-')[0] === language() && /^[a-z\d-]+$/i.test(name),
  );
  return dateOrderOf(local ?? locale());
}

const UNREADABLE = t`We could not read this. Please try again.`;

function problemOf(error: unknown): string {
  return error instanceof FileProblem ? error.message : writeErrorText(error, UNREADABLE);
}

/** The table that was read last, and how its rows are found again on screen. */
interface Read {
  readonly source: string | File;
  readonly table: CouponTable;
  readonly rows: readonly Row[];
}

/** With lines that did not fit into the call. */
function withRowsLeft(leftOut: readonly LeftOut[], linesLeft: number): LeftOut[] {
  const count = leftOut.reduce((sum, one) => sum + (one.what === 'rows' ? one.count : 0), linesLeft);
  const others = leftOut.filter(({ what }) => what !== 'rows');
  return count > 0 ? [{ what: 'rows', count }, ...others] : others;
}

/** Reads files and pasted lines into rows. */
export function useReading(changeRows: (change: (rows: readonly Row[]) => readonly Row[]) => void) {
  const { client } = trpc.useUtils();
  /** What is being read; null: nothing. */
  const [status, setStatus] = useState<string | null>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [read, setRead] = useState<Read | null>(null);
  const leaving = useRef<AbortController>(null);
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  const addRows = (rows: readonly Row[]) => changeRows((before) => joined(before, rows));
  const ask = async (source: string | File, dateOrder: DateOrder): Promise<CouponTable> => {
    if (source instanceof File) return readTableFile(source, dateOrder, leaving.current?.signal);
    const { text, linesLeft } = fittingText(source);
    const table = await client.coupons.readTable.mutate({ text, dateOrder });
    return { ...table, leftOut: withRowsLeft(table.leftOut, linesLeft) };
  };
  const addTable = async (source: string | File) => {
    const table = await ask(source, localDateOrder());
    const rows = table.rows.map(({ coupon, doubts }) => newRow({ coupon, doubts }));
    setRead({ source, table, rows });
    if (rows.length === 0) throw new FileProblem(t`We found no rows in it.`);
    addRows(rows);
  };
  const addPicture = async (file: File) => {
    const { rowsOfPicture } = await import('./read-pictures.ts');
    const rows = await rowsOfPicture(file, {
      extract: (input) => client.images.extractCode.mutate(input),
      readPrint: (imageUrl) => client.images.extractFacts.mutate({ imageUrl }),
      onPage: (page, pages) => pages > 1 && setStatus(t`Reading ${file.name}, page ${page} of ${pages}…`),
      signal: leaving.current?.signal ?? new AbortController().signal,
    });
    addRows(rows);
  };
  /** @returns whether all of it was read */
  const run = async (reads: readonly { readonly name: string; readonly act: () => Promise<void> }[]) => {
    const found: string[] = [];
    setProblems([]);
    for (const { name, act } of reads) {
      if (leaving.current?.signal.aborted) return false;
      setStatus(name === '' ? t`Reading…` : t`Reading ${name}…`);
      try {
        await act();
      } catch (error) {
        found.push(name === '' ? problemOf(error) : t`${name}: ${problemOf(error)}`);
      }
    }
    setProblems(found);
    setStatus(null);
    return found.length === 0;
  };
  const readText = (text: string) => run([{ name: '', act: () => addTable(text) }]);
  const readsOf = (files: readonly File[]) =>
    files.map((file) => ({
      name: file.name,
      act: async () => (isTableFile(file) ? addTable(file) : addPicture(file)),
    }));
  const readFiles = (files: readonly File[]) => run(readsOf(files));
  /** Reads what another application has shared. */
  const readShared = async () => {
    const { files, text } = (await takeShared()) ?? { files: [], text: '' };
    const act = async () => {
      if (text !== '') return addTable(text);
      if (files.length === 0) throw new FileProblem(NOTHING_SHARED);
    };
    await run([...readsOf(files), { name: '', act }]);
  };
  /** A row for each code that was scanned. */
  const addScanned = (codes: readonly string[]) =>
    addRows(codes.map((code) => newRow({ coupon: { ...BLANK_COUPON, code } })));
  /** Reads the dates of the last table again; what was typed meanwhile stays. */
  const readInOrder = async (dateOrder: DateOrder) => {
    if (!read) return;
    const act = async () => {
      const table = await ask(read.source, dateOrder);
      const dates = new Map(read.rows.map(({ key }, index) => [key, table.rows[index]]));
      setRead({ ...read, table });
      changeRows((before) =>
        before.map((row) => {
          const again = dates.get(row.key);
          if (!again || row.doubts.expiryDate === undefined) return row;
          return {
            ...row,
            coupon: { ...row.coupon, expiryDate: again.coupon.expiryDate },
            doubts: { ...row.doubts, expiryDate: again.doubts.expiryDate },
          };
        }),
      );
    };
    await run([{ name: '', act }]);
  };
  const table = read?.table ?? null;
  return { readText, readFiles, readShared, readInOrder, addScanned, problems, table, status };
}

export type Reading = Pick<ReturnType<typeof useReading>, 'table' | 'status' | 'readInOrder'>;
