import type { CellReason } from '#contract/coupons/left-out.ts';

/** A cell of a table. */
export interface Cell {
  /** As people see it. */
  readonly text: string;
  /** The day that a spreadsheet holds where it shows one: with its month and year, if not the day itself. */
  readonly day?: string;
  /** Whether a spreadsheet holds a number there. */
  readonly isNumber?: boolean;
  /** Why a person should look at what is read of it. */
  readonly doubt?: string;
  /** Why it has no value of its own. */
  readonly lacks?: CellReason;
}

/** A row of a table that is not blank. */
export interface Line {
  readonly line: number;
  readonly cells: readonly Cell[];
}

/** What spreadsheets write in place of a value that cannot be had. */
const ERROR = /^#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|FIELD!|BUSY!)$/i;

export function cellOfText(text: string): Cell {
  return ERROR.test(text) ? { text: '', lacks: 'error' } : { text };
}

/** More columns than this are a mistake. */
export const WIDTH = 60;

/** The name of a column as spreadsheets show it: A, B, … Z, AA. */
export function columnLetters(place: number): string {
  const letter = String.fromCharCode(65 + (place % 26));
  return place < 26 ? letter : columnLetters(Math.floor(place / 26) - 1) + letter;
}
