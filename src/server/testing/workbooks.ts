import { strToU8, zipSync } from 'fflate';

/** A cell of a workbook: a text, a number, a day, or a part of a whole that is shown as per cent. */
export type WorkbookCell = string | number | { readonly day: string };

const DAY_MS = 86_400_000;
/** Day 0 of Excel. */
const EPOCH = Date.UTC(1899, 11, 30);

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function cellXml(cell: WorkbookCell, place: string): string {
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') return `<c r="${place}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
  return `<c r="${place}" s="1"><v>${(Date.parse(cell.day) - EPOCH) / DAY_MS}</v></c>`;
}

/** The bytes of a workbook (XLSX) with one sheet, as a spreadsheet program writes it. */
export function aWorkbook(rows: readonly (readonly WorkbookCell[])[]): Uint8Array<ArrayBuffer> {
  const sheet = rows
    .map((cells, row) => {
      const inner = cells.map((cell, column) =>
        cellXml(cell, `${String.fromCharCode(65 + column)}${row + 1}`),
      );
      return `<row r="${row + 1}">${inner.join('')}</row>`;
    })
    .join('');
  const files = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Coupons" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${sheet}</sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}
