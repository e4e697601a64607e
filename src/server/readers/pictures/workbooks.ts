import path from 'node:path';
import { decode, Parser } from 'saxen';
import type { LeftOut } from '#contract/coupons/left-out.ts';
import { type Cell, columnLetters, type Line, WIDTH } from '../tables/lines.ts';
import { PictureRefusal } from './pictures.ts';
import { type Formats, patternsOf, type StoredCell, shownCell } from './workbook-cells.ts';
import { openZip, type Zip } from './zip.ts';

/** How files of the older form begin. */
const OLE = 0xd0cf11e0;
/** What is read of a workbook may have unpacked: a small file can hold gigabytes. */
const MAX_BYTES = 30_000_000;
/** Rows beyond these are only counted. */
const ROWS_MAX = 1_000;
/** A table of coupons has fewer merged cells. */
const MERGED_MAX = 1_000;

/** A sheet of a workbook, without its hidden rows and columns. */
export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly lines: readonly Line[];
  readonly leftOut: readonly LeftOut[];
}

interface Part {
  readonly id: string;
  readonly name: string;
  readonly isHidden: boolean;
}

/** What all sheets of a workbook share. */
interface Shared {
  readonly strings: readonly string[];
  readonly formats: Formats;
}

/** The sheets of a workbook (XLSX) as they are shown, in their order. @throws PictureRefusal */
export async function readSheets(file: Uint8Array): Promise<readonly Sheet[]> {
  if (isLocked(file)) throw new PictureRefusal('locked');
  const textOf = textsOf(await openZip(file).catch(refuse));
  const main = [...(await targetsIn(textOf, '')).values()].find(
    ({ type }) => type === 'officeDocument',
  )?.name;
  if (main === undefined) throw new PictureRefusal('broken');
  const targets = await targetsIn(textOf, main);
  const partOf = (wanted: string) => [...targets.values()].find(({ type }) => type === wanted)?.name;
  const { parts, is1904 } = partsIn(await textOf(main));
  const shared: Shared = {
    strings: stringsIn(await textOf(partOf('sharedStrings'))),
    formats: { patterns: patternsIn(await textOf(partOf('styles'))), is1904 },
  };
  const sheets: Sheet[] = [];
  for (const { id, name, isHidden } of parts) {
    const xml = await textOf(targets.get(id)?.name);
    if (xml === '') throw new PictureRefusal('broken');
    sheets.push({ name, isHidden, ...sheetIn(xml, shared) });
  }
  return sheets;
}

/** Whether it is encrypted: then it is no archive, but a file of the older form that names its content. */
function isLocked(file: Uint8Array): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  return (
    bytes.length > 4 &&
    bytes.readUInt32BE(0) === OLE &&
    bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))
  );
}

function refuse(error: unknown): never {
  const isKnown = error instanceof PictureRefusal && error.problem !== 'broken_pass';
  throw isKnown ? error : new PictureRefusal('broken');
}

/** Gives the text of a part of the archive; a blank one where there is none. @throws PictureRefusal */
type TextOf = (name: string | undefined) => Promise<string>;

function textsOf(zip: Zip): TextOf {
  let left = MAX_BYTES;
  return async (name) => {
    if (name === undefined || !zip.names.includes(name)) return '';
    const bytes = await zip.read(name, left).catch(refuse);
    left -= bytes.length;
    return bytes.toString('utf8').replace(/^\ufeff/, '');
  };
}

/** What a part refers to, by its references. */
async function targetsIn(textOf: TextOf, from: string) {
  const { dir, base } = path.posix.parse(from);
  const targets = new Map<string, { readonly type: string; readonly name: string }>();
  walk(await textOf(path.posix.join(dir, '_rels', `${base}.rels`)), {
    open(name, { Id = '', Type = '', Target = '' }) {
      if (name !== 'Relationship') return;
      const target = Target.startsWith('/') ? Target.slice(1) : path.posix.join(dir, Target);
      targets.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), name: target });
    },
  });
  return targets;
}

function partsIn(xml: string): { readonly parts: readonly Part[]; readonly is1904: boolean } {
  const parts: Part[] = [];
  let is1904 = false;
  walk(xml, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = isTrue(attributes.date1904);
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => /(?:^|:)id$/.test(key))?.[1] ?? '';
      const isHidden = /hidden/i.test(attributes.state ?? '');
      parts.push({ id, name: attributes.name ?? '', isHidden });
    },
  });
  return { parts, is1904 };
}

/** The texts that cells share. */
function stringsIn(xml: string): readonly string[] {
  const strings: string[] = [];
  let shared = '';
  walk(xml, {
    open(name) {
      if (name === 'si') shared = '';
    },
    text(piece, name, isPhonetic) {
      if (name === 't' && !isPhonetic) shared += piece;
    },
    close(name) {
      if (name === 'si') strings.push(shared);
    },
  });
  return strings;
}

/** The pattern of each style by which numbers are shown. */
function patternsIn(xml: string): readonly string[] {
  const own = new Map<number, string>();
  const styles: number[] = [];
  let isOfCells = false;
  walk(xml, {
    open(name, { numFmtId, formatCode = '' }) {
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'numFmt') own.set(Number(numFmtId), formatCode);
      if (name === 'xf' && isOfCells) styles.push(Number(numFmtId ?? 0));
    },
    close(name) {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return patternsOf(own, styles);
}

/** A rectangle of cells that are merged into one. */
interface Merged {
  readonly from: Place;
  readonly to: Place;
}

/** The place of a cell, from 0, and its line, from 1. */
interface Place {
  readonly column: number;
  readonly line: number;
}

/** A row as it is written, with the cells of hidden columns. */
interface Row extends Line {
  readonly isHidden: boolean;
}

function sheetIn(xml: string, shared: Shared): Pick<Sheet, 'lines' | 'leftOut'> {
  const { rows, hiddenColumns, merged, behind } = rowsIn(xml, shared);
  const shown = rows.filter(({ isHidden }) => !isHidden);
  const columns = [...hiddenColumns]
    .filter((column) => shown.some(({ cells }) => !isBlank(cells[column])))
    .map(columnLetters);
  const hiddenRows = rows.length - shown.length;
  return {
    lines: shown
      .map((row) => lineOf(row, hiddenColumns, merged))
      .filter(({ cells }) => !cells.every(isBlank)),
    leftOut: [
      ...(behind > 0 ? [{ what: 'rows', count: behind } as const] : []),
      ...(hiddenRows > 0 ? [{ what: 'hiddenRows', count: hiddenRows } as const] : []),
      ...(columns.length > 0 ? [{ what: 'hiddenColumns', names: columns } as const] : []),
    ],
  };
}

const isBlank = (cell: Cell | undefined) => !cell || (cell.text === '' && !cell.lacks);

/** A row without the cells that are hidden, and with those that are merged with another. */
function lineOf({ line, cells }: Row, hidden: ReadonlySet<number>, merged: readonly Merged[]): Line {
  const shown = cells.map((cell, column) => (hidden.has(column) ? { text: '' } : cell));
  for (const { from, to } of merged) {
    if (line < from.line || line > to.line) continue;
    const isFirst = line === from.line;
    // A row that is one cell is a title.
    if (isFirst && from.line === to.line && isBlank(shown[to.column + 1])) continue;
    for (let column = from.column; column <= to.column; column += 1)
      if (!(isFirst && column === from.column)) shown[column] = { text: '', lacks: 'merged' };
  }
  return { line, cells: Array.from(shown, (cell) => cell ?? { text: '' }) };
}

/** The rows of a sheet that are not blank. */
function rowsIn(xml: string, { strings, formats }: Shared) {
  const rows: Row[] = [];
  const merged: Merged[] = [];
  const hiddenColumns = new Set<number>();
  let behind = 0;
  let [line, isHidden, column] = [0, false, -1];
  let cells: Cell[] = [];
  let cell: StoredCell = { type: '', style: 0, text: '', hasFormula: false };
  walk(xml, {
    open(name, attributes) {
      if (name === 'col' && isTrue(attributes.hidden)) {
        const last = Math.min(Number(attributes.max), WIDTH);
        for (let place = Number(attributes.min); place <= last; place += 1) hiddenColumns.add(place - 1);
      }
      if (name === 'row') {
        [line, column, cells] = [Number(attributes.r) || line + 1, -1, []];
        isHidden = isTrue(attributes.hidden);
      }
      if (name === 'c') {
        column = placeOf(attributes.r ?? '')?.column ?? column + 1;
        cell = { type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), text: '', hasFormula: false };
      }
      if (name === 'f') cell = { ...cell, hasFormula: true };
      if (name === 'mergeCell' && merged.length < MERGED_MAX) merged.push(...mergedOf(attributes.ref ?? ''));
    },
    text(piece, name, isPhonetic) {
      if (name === 'v' || (name === 't' && !isPhonetic)) cell = { ...cell, text: cell.text + piece };
    },
    close(name) {
      if (name === 'c' && column < WIDTH && rows.length < ROWS_MAX)
        cells[column] = shownCell(cell, strings, formats);
      if (name === 'c' && rows.length === ROWS_MAX && cell.text !== '') cells[0] = { text: cell.text };
      if (name !== 'row' || cells.every(isBlank)) return;
      if (rows.length < ROWS_MAX) rows.push({ line, isHidden, cells: Array.from(cells, blankOr) });
      else if (!isHidden) behind += 1;
    },
  });
  return { rows, hiddenColumns, merged, behind };
}

const blankOr = (cell: Cell | undefined): Cell => cell ?? { text: '' };

/** 'B3' */
function placeOf(name: string): Place | null {
  const [, letters = '', digits = ''] = /^([A-Z]{1,3})(\d{1,7})$/.exec(name) ?? [];
  if (digits === '') return null;
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return { column, line: Number(digits) };
}

/** 'A2:B3' */
function mergedOf(range: string): Merged[] {
  const [from, to] = range.split(':').map(placeOf);
  if (!from || !to || from.column >= WIDTH) return [];
  return [{ from, to: { ...to, column: Math.min(to.column, WIDTH - 1) } }];
}

const isTrue = (flag: string | undefined) => flag === '1' || flag === 'true';

interface Visitor {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  /** @param isPhonetic whether it says how the characters below it are pronounced */
  text?(text: string, name: string, isPhonetic: boolean): void;
  close?(name: string): void;
}

/** Visits the elements of a document in their order, by their names without prefixes. @throws PictureRefusal */
function walk(xml: string, { open, text, close }: Visitor): void {
  if (xml === '') return;
  const within: string[] = [];
  const plain = (name: string) => name.slice(name.indexOf(':') + 1);
  const add = (piece: string) => text?.(piece, within.at(-1) ?? '', within.at(-2) === 'rPh');
  new Parser()
    .on('openTag', (name, attributes) => {
      within.push(plain(name));
      const entries = Object.entries(attributes()).map(([key, value]) => [key, decode(value)]);
      open?.(plain(name), Object.fromEntries(entries));
    })
    .on('text', (piece, decoded) => add(decoded(piece)))
    .on('cdata', add)
    .on('closeTag', (name) => {
      within.pop();
      close?.(plain(name));
    })
    .on('error', () => {
      throw new PictureRefusal('broken');
    })
    .parse(xml);
}
