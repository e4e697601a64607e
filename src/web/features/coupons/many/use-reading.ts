import { useState } from 'react';
import type { CouponTable, ReadTableInput } from '#contract/coupon-tables.ts';
import { LOCALE } from '#contract/locale.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { FileProblem } from './file-problem.ts';
import { tableTextOf } from './read-file.ts';
import { fittingText, newRow, type Row } from './rows.ts';

type DateOrder = ReadTableInput['dateOrder'];

/** The order of dates where the reader is. */
function localDateOrder(): DateOrder {
  const language = globalThis.navigator?.language ?? LOCALE;
  const parts = new Intl.DateTimeFormat(language, { dateStyle: 'short' }).formatToParts(new Date());
  const place = (type: string) => parts.findIndex((part) => part.type === type);
  return place('day') < place('month') ? 'dayFirst' : 'monthFirst';
}

/** The table that was read last, and how its rows are found again on screen. */
interface Read {
  readonly text: string;
  readonly table: CouponTable;
  readonly rows: readonly Row[];
}

/** Reads files and pasted lines into rows. */
export function useReading(changeRows: (change: (rows: readonly Row[]) => readonly Row[]) => void) {
  const call = trpc.coupons.readTable.useMutation();
  const [isOpening, setIsOpening] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [read, setRead] = useState<Read | null>(null);

  const ask = async (given: string, dateOrder: DateOrder) => {
    const { text, linesLeft } = fittingText(given);
    const table = await call.mutateAsync({ text, dateOrder });
    return { ...table, rowsLeft: table.rowsLeft + linesLeft };
  };
  const readText = async (text: string): Promise<boolean> => {
    setProblem(null);
    try {
      const table = await ask(text, localDateOrder());
      const rows = table.rows.map(newRow);
      if (rows.length === 0) setProblem('We found no rows in it.');
      setRead({ text, table, rows });
      // Rows whose codes were not kept are read again.
      changeRows((before) => [...before.filter(({ isCodeLost }) => !isCodeLost), ...rows]);
      return rows.length > 0;
    } catch (error) {
      setProblem(writeErrorText(error, 'We could not read these rows. Please try again.'));
      return false;
    }
  };
  const readFile = async (file: File) => {
    setProblem(null);
    setIsOpening(true);
    try {
      await readText(await tableTextOf(file));
    } catch (error) {
      setProblem(
        error instanceof FileProblem ? error.message : 'We could not read this file. Please try again.',
      );
    } finally {
      setIsOpening(false);
    }
  };
  /** Reads the dates of the last table again; what was typed meanwhile stays. */
  const readInOrder = async (dateOrder: DateOrder) => {
    if (!read) return;
    try {
      const table = await ask(read.text, dateOrder);
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
    } catch (error) {
      setProblem(writeErrorText(error, 'We could not read these rows. Please try again.'));
    }
  };
  return {
    readText,
    readFile,
    readInOrder,
    problem,
    table: read?.table ?? null,
    isPending: isOpening || call.isPending,
  };
}

export type Reading = Pick<ReturnType<typeof useReading>, 'table' | 'isPending' | 'readInOrder'>;
