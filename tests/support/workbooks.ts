import { strToU8, zipSync } from 'fflate';

/** A cell of a workbook; `format` is the pattern by which it is shown. A formula without a result has no value. */
export type WorkbookCell =
  | string
  | number
  | { readonly day: string; readonly format?: string }
  | { readonly number: number; readonly format: string }
  | { readonly formula: string; readonly result?: number }
  | { readonly error: string };

/** A sheet of a workbook. Its rows count from 1, its columns by letters. */
export interface WorkbookSheet {
  readonly name: string;
  readonly rows: readonly (readonly WorkbookCell[])[];
  readonly state?: 'visible' | 'hidden' | 'veryHidden';
  readonly hiddenRows?: readonly number[];
  readonly hiddenColumns?: readonly string[];
  readonly merged?: readonly string[];
}

const DAY_MS = 86_400_000;
/** Day 0 of Excel. */
const EPOCH = Date.UTC(1899, 11, 30);
/** The number of the first pattern of a workbook's own. */
const FIRST_PATTERN = 164;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The place of a style in `patterns`, which it joins. */
function styleOf(pattern: string, patterns: string[]): number {
  if (!patterns.includes(pattern)) patterns.push(pattern);
  return patterns.indexOf(pattern) + 1;
}

/** What the sheets of a workbook share. */
interface Shared {
  readonly patterns: string[];
  readonly strings: string[];
}

function cellXml(cell: WorkbookCell, place: string, { patterns, strings }: Shared): string {
  const shown = (value: number, format: string) =>
    `<c r="${place}" s="${styleOf(format, patterns)}"><v>${value}</v></c>`;
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') return `<c r="${place}" t="s"><v>${strings.push(cell) - 1}</v></c>`;
  if ('error' in cell) return `<c r="${place}" t="e"><v>${cell.error}</v></c>`;
  if ('number' in cell) return shown(cell.number, cell.format);
  if ('day' in cell) return shown((Date.parse(cell.day) - EPOCH) / DAY_MS, cell.format ?? 'm/d/yyyy');
  const result = cell.result === undefined ? '' : `<v>${cell.result}</v>`;
  return `<c r="${place}"><f>${escaped(cell.formula)}</f>${result}</c>`;
}

function sheetXml({ rows, hiddenRows, hiddenColumns, merged }: WorkbookSheet, shared: Shared): string {
  const columns = (hiddenColumns ?? []).map((letter) => {
    const place = letter.charCodeAt(0) - 64;
    return `<col min="${place}" max="${place}" width="0" hidden="1"/>`;
  });
  const lines = rows.map((cells, row) => {
    const inner = cells.map((cell, column) =>
      cellXml(cell, `${String.fromCharCode(65 + column)}${row + 1}`, shared),
    );
    const hidden = hiddenRows?.includes(row + 1) ? ' hidden="1"' : '';
    return `<row r="${row + 1}"${hidden}>${inner.join('')}</row>`;
  });
  const merges = (merged ?? []).map((range) => `<mergeCell ref="${range}"/>`);
  return `<worksheet xmlns="${MAIN}">${columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''}<sheetData>${lines.join('')}</sheetData>${merges.length > 0 ? `<mergeCells>${merges.join('')}</mergeCells>` : ''}</worksheet>`;
}

/** The bytes of a workbook (XLSX), as a spreadsheet program writes it. */
export function workbookOf(sheets: readonly WorkbookSheet[]): Uint8Array<ArrayBuffer> {
  const shared: Shared = { patterns: [], strings: [] };
  const bodies = sheets.map((sheet, index) => [
    `xl/worksheets/sheet${index + 1}.xml`,
    sheetXml(sheet, shared),
  ]);
  const entries = sheets.map(
    ({ name, state = 'visible' }, index) =>
      `<sheet name="${escaped(name)}" sheetId="${index + 1}" state="${state}" r:id="rId${index + 1}"/>`,
  );
  const relations = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  const { patterns, strings } = shared;
  const formats = patterns.map(
    (pattern, index) => `<numFmt numFmtId="${FIRST_PATTERN + index}" formatCode="${escaped(pattern)}"/>`,
  );
  const styles = patterns.map(
    (_, index) => `<xf numFmtId="${FIRST_PATTERN + index}" applyNumberFormat="1"/>`,
  );
  const files = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${entries.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}<Relationship Id="rIdStyles" Type="${RELATIONS}/styles" Target="styles.xml"/><Relationship Id="rIdStrings" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts count="${patterns.length}">${formats.join('')}</numFmts><cellXfs count="${patterns.length + 1}"><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${strings.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    ...Object.fromEntries(bodies),
  };
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(String(text))])),
  );
}

/** The bytes of a workbook (XLSX) with one sheet. */
export function aWorkbook(rows: readonly (readonly WorkbookCell[])[]): Uint8Array<ArrayBuffer> {
  return workbookOf([{ name: 'Coupons', rows }]);
}
