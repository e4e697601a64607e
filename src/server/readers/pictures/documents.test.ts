import { beforeAll, describe, expect, it } from 'vitest';
import { PAGES_ONE_BY_ONE_MAX } from '#contract/coupons/images.ts';
import { CODES, type CodeFixture, drawFixture, SECOND_CODE } from '#tests/fixtures/codes.ts';
import { pdf, pdfImage, stream, tenTimes } from '#tests/fixtures/documents.ts';
import { sharedPictures } from '#tests/support/picture-processes.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { openPictures } from './open-pictures.ts';
import type { PictureProblem } from './pictures.ts';

const pictures = sharedPictures();
/** The object of a PDF that shows a code. */
let drawn: Buffer;

beforeAll(async () => {
  drawn = await pdfImage(await drawFixture(SECOND_CODE));
});

const expectCode = async (file: Buffer) =>
  expect(await pictures.read(file)).toMatchObject({
    contentType: 'image/png',
    facts: null,
    codes: [{ text: SECOND_CODE.text, format: 'QRCode' }],
  });

describe('a PDF', () => {
  it('is read, and kept as a picture of the page with the code', async () => {
    const { width, height, codes } = await pictures.read(pdf({ more: [drawn] }));
    expect([width, height]).toEqual([1413, 2000]);
    expect(codes[0]?.text).toBe(SECOND_CODE.text);
    const bars = CODES.find(({ name }) => name === 'PDF417') as CodeFixture;
    // Page 1 is empty, page 2 shows the code.
    const second = pdf({
      pages: '6 0 R 3 0 R',
      count: 2,
      more: [
        await pdfImage(await drawFixture(bars)),
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] >>',
      ],
    });
    expect(await pictures.read(second)).toMatchObject({ width: 1413, codes: [{ text: bars.text }] });
  });

  it('is read page by page where one is asked for, also a long one', async () => {
    const two = pdf({
      pages: '6 0 R 3 0 R',
      count: 2,
      more: [drawn, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] >>'],
    });
    expect(await pictures.read(two, 1)).toMatchObject({ codes: [], pages: 2 });
    expect(await pictures.read(two, 2)).toMatchObject({ codes: [{ text: SECOND_CODE.text }], pages: 2 });
    await expect(pictures.read(two, 3)).rejects.toMatchObject({ problem: 'no_such_page' });
    expect(await pictures.read(pdf({ pages: PAGES_ONE_BY_ONE_MAX }), PAGES_ONE_BY_ONE_MAX)).toMatchObject({
      pages: PAGES_ONE_BY_ONE_MAX,
    });
    const long = pdf({ pages: PAGES_ONE_BY_ONE_MAX + 1 });
    await expect(pictures.read(long, 1)).rejects.toMatchObject({ problem: 'too_many_parts' });
  });

  it('without a code is kept as its first page', async () => {
    const empty = pdf({ content: stream('', ''), mediaBox: '0 0 100 50' });
    expect(await pictures.read(empty)).toMatchObject({ width: 417, height: 208, codes: [] });
  });

  it('runs no script', async () => {
    const catalog = '/OpenAction << /S /JavaScript /JS (while \\(true\\) {}) >>';
    await expectCode(pdf({ catalog, more: [drawn] }));
  });

  it('of a senseless size is a page of usual size', async () => {
    for (const mediaBox of shortOrLong(['0 0 1e9 1e9'], ['0 0 1e9 1e9', '0 0 0 0', 'a b c d'])) {
      const page = await pictures.read(pdf({ mediaBox, more: [drawn] }));
      expect(page).toMatchObject({ width: 1545, height: 2000, codes: [{ text: SECOND_CODE.text }] });
    }
  });

  const refused: [string, PictureProblem, () => Buffer][] = [
    ['400 MB in few bytes', 'broken', () => pdf({ content: stream('', Buffer.alloc(400e6, ' '), 2) })],
    ['a million pages that are not there', 'too_many_parts', () => pdf({ count: 1_000_000 })],
    [
      'a password',
      'locked',
      () =>
        pdf({
          trailer: '/Encrypt 5 0 R /ID [<aa><bb>]',
          more: [
            `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -3904 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`,
          ],
        }),
    ],
    ['nothing but a beginning', 'broken', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj')],
    ['half of one', 'broken', () => pdf().subarray(0, 200)],
    ['11 pages', 'too_many_parts', () => pdf({ pages: 11 })],
    ['no page', 'broken', () => pdf({ pages: 0 })],
  ];
  it.each(shortOrLong(refused.slice(0, 3), refused))(
    'is refused with %s: %s, and the next file is read',
    async (_, problem, make) => {
      await expect(pictures.read(make())).rejects.toMatchObject({ name: 'PictureRefusal', problem });
      await expectCode(pdf({ more: [drawn] }));
    },
  );

  it('is no public picture', async () => {
    const file = pdf({ more: [drawn] });
    await expect(pictures.publish(file, 'offer')).rejects.toMatchObject({ problem: 'not_an_image' });
  });
});

it('refuses a PDF that would be drawn for hours', async () => {
  const hasty = openPictures({ timeLimitMs: 1_500, processes: 1 });
  try {
    const forms = Array.from({ length: 12 }, (_, at) => tenTimes(6 + at));
    const endless = pdf({
      more: [...forms, stream('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', '0 0 1 1 re f')],
    });
    // A quick machine meets the limit of memory before that of time.
    const problem = expect.stringMatching(/^(too_slow|broken)$/);
    await expect(hasty.read(endless)).rejects.toMatchObject({ name: 'PictureRefusal', problem });
  } finally {
    await hasty.close();
  }
});
