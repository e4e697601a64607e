import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createUser } from '#tests/support/builders.ts';
import { aWorkbook } from '#tests/support/workbooks.ts';
import { CODES, drawFixture, SECOND_CODE } from '../fixtures/codes.ts';
import { pdf, pdfImage } from '../fixtures/documents.ts';
import { drawCoupon, PRINTED_COUPONS, type PrintedCoupon } from '../fixtures/printed-coupons.ts';
import { expectGoodState, WINDOWS, windowsFor } from './good-pages.ts';
import { closePages, expectTouchTargets, openPage, sharedBrowser } from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

/** Thirty coupons from a spreadsheet. */

const HEADS = ['Shop', 'What', 'Discount', 'Coupon code', 'Valid until', 'Category'];
const COUNT = 30;
/** The codes that one person can try at one merchant in an hour. */
const AT_ONE_SHOP = 15;

/** A spreadsheet in a file, as a person has it. */
async function aSpreadsheet(name: string, brokenRows: number): Promise<string> {
  const rows = Array.from({ length: COUNT }, (_, index) => [
    index < AT_ONE_SHOP ? 'Corner Coffee' : 'Shear Joy',
    `Offer ${index + 1} of the spreadsheet`,
    index % 2 === 0 ? `$${index + 1}.50` : '20%',
    `${name}-${1_000 + index}`,
    { day: `${new Date().getUTCFullYear() + 1}-05-${String(index + 1).padStart(2, '0')}` },
    index < brokenRows ? 'Mystery' : 'Food',
  ]);
  const file = path.join(tmpdir(), `clipswap-${process.pid}-${name}.xlsx`);
  await writeFile(file, aWorkbook([HEADS, ...rows]));
  return file;
}

let site: Site;
let browser: Browser;
let person: Actor;

beforeAll(async () => {
  site = await openSite({ withDemo: false });
  browser = await sharedBrowser();
  person = await createUser(site.ctx);
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

const countListed = async () => {
  const { count } = await site.ctx.db
    .selectFrom('coupons')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('ownerId', '=', person.id)
    .where('isActive', '=', true)
    .executeTakeFirstOrThrow();
  return Number(count);
};

it('lists thirty coupons of a spreadsheet in fewer than ten presses, and takes all of it back in one', async () => {
  const file = await aSpreadsheet('MANY', 0);
  const opened = await openPage(browser, { baseUrl: site.baseUrl });
  const { page, context, assertNoConsoleErrors } = opened;
  await signIn(site, context, person);
  let presses = 0;
  const press = async (control: Locator) => {
    presses += 1;
    await control.click();
  };
  await page.goto('/');
  await press(page.getByRole('link', { name: 'My Coupons' }).first());
  await press(page.getByRole('button', { name: 'More ways to add coupons' }));
  await press(page.getByRole('menuitem', { name: 'Add many at once' }));
  const chooser = page.waitForEvent('filechooser');
  await press(page.getByRole('button', { name: 'Choose files' }));
  // The file and "Open" in the window of the system.
  presses += 2;
  await (await chooser).setFiles(file);
  await press(page.getByRole('button', { name: `List ${COUNT} coupons` }));
  await page.getByRole('heading', { name: `${COUNT} coupons listed` }).waitFor();
  expect(await countListed()).toBe(COUNT);
  expect(presses).toBeLessThan(10);
  await page.getByRole('button', { name: 'Undo all' }).click();
  await page.getByText(`${COUNT} coupons removed`).first().waitFor();
  expect(await countListed()).toBe(0);
  // The rows are back, to be corrected.
  await page.getByRole('heading', { name: `${COUNT} rows` }).waitFor();
  assertNoConsoleErrors();
  await context.close();
});

it.each(windowsFor(1))(
  'a table with red cells is corrected in place, and its codes are not kept',
  async (...windows) => {
    const file = await aSpreadsheet('RED', 2);
    const opened = await openPage(browser, { ...WINDOWS[1], baseUrl: site.baseUrl });
    const { page, context, assertNoConsoleErrors } = opened;
    await signIn(site, context, person);
    await page.goto('/add-coupons');
    await expectGoodState(opened, windows);
    await page.getByLabel('Files with coupons').setInputFiles(file);
    await page.getByText('2 rows need a correction.').waitFor();
    await expectGoodState(opened, windows);
    if (windows[0].width < 500) await expectTouchTargets(page);

    const second = page.getByRole('group', { name: 'Row 2', exact: true });
    await second.getByLabel('Category').selectOption('Services');
    await page.getByText('1 row needs a correction.').waitFor();
    await page
      .getByRole('region', { name: 'Fill the empty cells' })
      .getByLabel('Category')
      .selectOption('Food');
    await page.getByText('All rows are ready.').waitFor();

    // A reload keeps what was typed, but for the codes.
    page.once('dialog', (dialog) => dialog.accept());
    await page.reload();
    await page.getByText(`${COUNT} rows need a correction.`).waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('RED-10');
    expect(await second.getByLabel('Category').inputValue()).toBe('services');
    assertNoConsoleErrors();
    await context.close();
  },
);

const codeNamed = (given: string) => CODES.find(({ name }) => name === given) ?? SECOND_CODE;
const PRINTED = { ...(PRINTED_COUPONS[0] as PrintedCoupon), code: codeNamed('Code 128') };
const ON_PAGE_2 = codeNamed('QR');
const LAST_DAY = `${new Date().getUTCFullYear() + 1}-12-31`;

/** A printed coupon, whose last day is to come. */
const aPicture = () =>
  drawCoupon({ ...PRINTED, printed: { ...PRINTED.printed, date: `Expires ${LAST_DAY}` } }, 4);

/** A PDF with a code on its second and third page. */
async function aDocument(): Promise<Buffer> {
  const [one, two] = await Promise.all(
    [ON_PAGE_2, SECOND_CODE].map(async (code) => pdfImage(await drawFixture(code))),
  );
  const page = (more: string) => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${more} >>`;
  const other = page('/Contents 4 0 R /Resources << /XObject << /X 7 0 R >> >>');
  return pdf({ pages: '8 0 R 3 0 R 6 0 R', count: 3, more: [one ?? '', other, two ?? '', page('')] });
}

it('pictures, and the pages of a PDF, become rows with their codes and what is printed', async () => {
  const opened = await openPage(browser, { baseUrl: site.baseUrl });
  const { page, context, assertNoConsoleErrors } = opened;
  await signIn(site, context, person);
  await page.goto('/add-coupons');
  await page.getByLabel('Files with coupons').setInputFiles([
    { name: 'photo.png', mimeType: 'image/png', buffer: await aPicture() },
    { name: 'vouchers.pdf', mimeType: 'application/pdf', buffer: await aDocument() },
    { name: 'letter.doc', mimeType: 'application/msword', buffer: Buffer.from('Dear Sir') },
  ]);
  await page.getByText(/^letter.doc: /).waitFor();
  const codes = page.getByRole('group', { name: /^Row \d+$/ }).getByLabel('Code');
  expect(await codes.evaluateAll((cells) => cells.map((cell) => Reflect.get(cell, 'value')))).toEqual(
    [PRINTED.code, ON_PAGE_2, SECOND_CODE].map(({ text }) => text),
  );
  const first = page.getByRole('group', { name: 'Row 1', exact: true });
  expect([
    `${Number(await first.getByLabel('Value').inputValue()) * 100} ${await first.getByLabel('Unit').inputValue()}`,
    await first.getByLabel('Expiry date').inputValue(),
  ]).toEqual([PRINTED.worth, LAST_DAY]);
  const common = page.getByRole('region', { name: 'Fill the empty cells' });
  await common.getByLabel('Merchant').fill('Corner Coffee');
  await common.getByLabel('Value').fill('5');
  await common.getByLabel('Category').selectOption('Food');
  await common.getByRole('switch').check();
  await page.getByRole('button', { name: 'List 3 coupons' }).click();
  await page.getByRole('heading', { name: '3 coupons listed' }).waitFor();
  const pictured = await site.ctx.db
    .selectFrom('images')
    .innerJoin('coupons', 'coupons.id', 'images.couponId')
    .select('images.kind')
    .where('coupons.ownerId', '=', person.id)
    .orderBy('images.kind')
    .execute();
  expect(pictured.map(({ kind }) => kind)).toEqual(['barcode', 'qrcode', 'qrcode']);
  assertNoConsoleErrors();
  await context.close();
});
