import sharp from 'sharp';
import { couponTableSchema } from '#contract/coupons/coupon-tables.ts';
import { renderPages } from '#server/readers/pictures/documents.ts';
import { decodeText, readPassTexts } from '#server/readers/pictures/pass-texts.ts';
import { readPass } from '#server/readers/pictures/passes.ts';
import { PictureRefusal } from '#server/readers/pictures/pictures.ts';
import { decodePicture } from '#server/readers/pictures/reading.ts';
import { readTableFile } from '#server/readers/pictures/table-files.ts';
import { openZip } from '#server/readers/pictures/zip.ts';
import { pdf } from '../fixtures/documents.ts';
import { PASS, walletPass, zip } from '../fixtures/passes.ts';
import { isDay, promise, type Target, textTarget, unlessRefused } from './target.ts';

const SHEET = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>
<row r="1"><c r="A1" t="inlineStr"><is><t>code</t></is></c><c r="B1" t="inlineStr"><is><t>value</t></is></c></row>
<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" s="0"><v>42</v></c></row></sheetData>
<mergeCells><mergeCell ref="A2:B3"/></mergeCells></worksheet>`;

/** A workbook with one sheet of this XML, whose numbers are shown by this pattern. */
function workbook(sheet: string, pattern = 'General'): Buffer {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  return zip([
    { name: '[Content_Types].xml', bytes: '<Types/>' },
    {
      name: 'xl/workbook.xml',
      bytes: `<workbook xmlns="${main}" xmlns:r="${documents}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      bytes: `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${documents}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${documents}/styles" Target="styles.xml"/></Relationships>`,
    },
    {
      name: 'xl/styles.xml',
      bytes: `<styleSheet xmlns="${main}"><numFmts><numFmt numFmtId="164" formatCode="${escaped(pattern)}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`,
    },
    { name: 'xl/worksheets/sheet1.xml', bytes: sheet },
  ]);
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

async function checkWorkbook(file: Uint8Array): Promise<void> {
  const table = await unlessRefused(() => readTableFile('workbook', file), PictureRefusal);
  if (!table) return;
  couponTableSchema.parse(table);
  for (const { coupon } of table.rows)
    promise(coupon.expiryDate === '' || isDay(coupon.expiryDate), 'a last day is one of the calendar');
}

const pixel = (format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif') =>
  sharp({ create: { width: 3, height: 2, channels: 3, background: '#a00' } })
    .toFormat(format)
    .toBuffer();

async function checkPass(file: Buffer): Promise<void> {
  const pass = await unlessRefused(() => readPass(file), PictureRefusal);
  if (!pass) return;
  const { expiryDate, merchant, title, terms } = pass.facts;
  promise(!expiryDate || isDay(expiryDate), 'the last day of a pass is one of the calendar');
  for (const text of [merchant, title, terms])
    promise(!text || text.length <= 2_000, 'a text of a pass is bounded');
}

/** Broken files, which only native code and WebAssembly read: the search does not see into these. */
export const FILE_TARGETS: readonly Target[] = [
  {
    name: 'archives',
    seeds: [
      walletPass(),
      zip([{ name: 'a.pkpass', bytes: walletPass() }]),
      zip([{ name: 'a', bytes: 'b', size: 9 }]),
    ],
    parts: ['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06', '\0'],
    longest: 60_000,
    packages: ['yauzl'],
    async parse(input) {
      const archive = await unlessRefused(() => openZip(input), PictureRefusal);
      for (const name of archive?.names ?? []) {
        promise(!name.startsWith('/') && !name.split('/').includes('..'), 'a name leads nowhere else');
        const bytes = await unlessRefused(
          () => (archive as NonNullable<typeof archive>).read(name, 1_000),
          PictureRefusal,
        );
        promise(!bytes || bytes.length <= 1_000, 'an entry has no more bytes than are wanted');
      }
    },
  },
  {
    name: 'passes',
    seeds: [
      JSON.stringify(PASS),
      '{"barcode":{"format":"PKBarcodeFormatQR","message":12345},"storeCard":{"backFields":[null,{"value":1}]},}',
    ],
    parts: ['[', '{"a":', '"', '\\', '{"barcodes":[', '/*', ' '],
    longest: 60_000,
    packages: ['jsonc-parser', 'iconv-lite'],
    parse: (input) => checkPass(zip([{ name: 'pass.json', bytes: input }])),
  },
  textTarget({
    name: 'texts-of-passes',
    seeds: [
      '"TERMS_TEXT" = "Only \\"once\\"\\n";\n/* a */ ORG = Shop;\n// b',
      '<?xml version="1.0"?><plist><dict><key>ORG</key><string>A &amp; B</string></dict></plist>',
    ],
    parts: [
      '/*',
      '"',
      '"a"=',
      'a',
      'a=a ',
      '//',
      '<plist><key>',
      '<key>a</key> ',
      '\\',
      '"a" = "b"\n',
      ' ',
      '=',
      '"\\',
    ],
    async read(text) {
      const bytes = Buffer.from(text);
      const texts = await readPassTexts({ names: ['en.lproj/pass.strings'], read: async () => bytes }, '');
      for (const key of ['TERMS_TEXT', 'ORG', text.slice(0, 100)])
        promise(typeof texts.said(key) === 'string', 'a text is one');
      decodeText(bytes);
    },
  }),
  {
    name: 'workbooks',
    seeds: [workbook(SHEET), workbook(SHEET.replace('42', '1e400'))],
    parts: ['PK\x03\x04', '\0'],
    longest: 60_000,
    packages: ['yauzl', 'saxen', 'numfmt'],
    parse: checkWorkbook,
  },
  textTarget({
    name: 'sheets',
    seeds: [SHEET, SHEET.replace('A2', 'XFD1048576').replace('r="2"', 'r="1048576"')],
    parts: ['<', '<row>', '<c r="A1">', '&', '<!--', '<a b="', ' ', '<c><v>1', '<mergeCell ref="A1:XFD9">'],
    packages: ['saxen', 'numfmt'],
    read: (text) => checkWorkbook(workbook(text)),
  }),
  textTarget({
    name: 'number-formats',
    seeds: [
      '0.00 "CAD"',
      '[$-40C]d\\ mmmm\\ yyyy;@',
      '_-* #,##0.00\\ [$€-407]_-;-0%;"-";@',
      '[>=9]0E+0;# ?/?',
    ],
    parts: ['0', '#', '?', '"', '[', '\\', ';', '_', '*', '/', 'm', ',', '[$-40C]', '.'],
    packages: ['numfmt'],
    read: (text) => checkWorkbook(workbook(SHEET, text)),
  }),
  {
    name: 'documents',
    seeds: [pdf(), pdf({ pages: 3, mediaBox: '0 0 0 99999999' })],
    parts: ['[', '1 0 R '],
    longest: 50_000,
    packages: ['@hyzyla/pdfium'],
    async parse(input) {
      await unlessRefused(async () => {
        for await (const { width, height, data } of renderPages(input, 40)) {
          promise(width <= 40 && height <= 40, 'a page is not larger than wanted');
          promise(data.length === width * height * 4, 'a page has all its pixels');
        }
      }, PictureRefusal);
    },
  },
  {
    name: 'pictures',
    seeds: await Promise.all((['png', 'jpeg', 'webp', 'gif', 'avif'] as const).map(pixel)),
    parts: ['\xff\xd8\xff', '\0', 'IDAT', 'GIF89a'],
    longest: 50_000,
    async parse(input) {
      const picture = await unlessRefused(() => decodePicture(input), PictureRefusal);
      if (!picture) return;
      const { width, height, channels, data } = picture;
      promise(Math.max(width, height) <= 2_000, 'a picture is not larger than it may be');
      promise(data.length === width * height * channels, 'a picture has all its pixels');
    },
  },
];
