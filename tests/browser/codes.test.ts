import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createUser, TEST_PASSWORD } from '#server/testing/builders.ts';
import { expectNoAxeViolations, launchBrowser, type OpenedPage, openPage } from './harness.ts';
import { openSite, type Site } from './site.ts';

/** A code from end to end: read from a picture and by a camera, validated, listed, redeemed. */

const CODES = { picture: 'PICTURE-KITE-5508', camera: 'CAMERA-FOX-1174' };

let site: Site;
let browser: Browser;
let folder: string;
let visitor: OpenedPage;
let member: OpenedPage;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'clipswap-browser-'));
  site = await openSite({ withDemo: false });
  await createUser(site.ctx, { username: 'kite_kim' });
  browser = await launchBrowser([
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${await filmOf(CODES.camera)}`,
  ]);
  visitor = await openPage(browser, { baseUrl: site.baseUrl, width: 390, height: 844, colorScheme: 'dark' });
  member = await openPage(browser, { baseUrl: site.baseUrl });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

async function pictureOf(code: string): Promise<Buffer> {
  const drawn = await site.ctx.providers.pictures.draw('qrcode', code);
  if (!drawn) throw new Error('The code cannot be drawn');
  return drawn.bytes;
}

/** A film of a code for a fake camera, in the simplest format that Chromium accepts (YUV4MPEG2). */
async function filmOf(code: string): Promise<string> {
  const [width, height] = [640, 480];
  const grey = await sharp(await pictureOf(code))
    .flatten({ background: 'white' })
    .resize(width, height, { fit: 'contain', background: 'white', kernel: 'nearest' })
    .greyscale()
    .raw()
    .toBuffer();
  const colourless = Buffer.alloc((width * height) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), grey, colourless]);
  const file = path.join(folder, 'camera.y4m');
  const header = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`);
  await writeFile(file, Buffer.concat([header, ...Array<Buffer>(5).fill(frame)]));
  return file;
}

const toast = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

async function logIn(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).last().click();
}

it('a visitor validates a code with the camera, and is asked to sign in to add it', async () => {
  const { page } = visitor;
  await page.goto('/validate-coupon');
  await page.getByRole('tab', { name: 'QR Code' }).click();
  await page.getByRole('button', { name: 'Scan with camera' }).click();
  await page.getByText(CODES.camera).first().waitFor();
  await toast(page, 'Enter Merchant Name');
  await page.getByLabel('Merchant').fill('Fox & Friends');
  await page.getByRole('button', { name: 'Validate' }).click();
  const result = page.getByRole('region', { name: 'Validation result' });
  await result.getByText('The format looks right, but Fox & Friends has not confirmed it.').waitFor();
  await expectNoAxeViolations(page);
  visitor.assertNoConsoleErrors();
});

it('a code is read from a picture, validated at once and added to one’s coupons [spec/3 2.14]', async () => {
  const { page } = member;
  await page.goto('/my-coupons');
  await logIn(page, 'kite_kim');
  await page.waitForURL('/my-coupons');
  await page.goto('/validate-coupon');
  await page.getByLabel('Merchant').fill('Kite Works');
  await page.getByRole('tab', { name: 'QR Code' }).click();
  await page.getByRole('button', { name: 'Extract code' }).click();
  await toast(page, 'No image uploaded. Please upload a QR code or barcode image first.');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'kite.png',
      mimeType: 'image/png',
      buffer: await pictureOf(CODES.picture),
    });
  await page.getByRole('img', { name: /QR code/i }).waitFor();
  await page.getByRole('button', { name: 'Extract code' }).click();
  await page
    .getByRole('region', { name: 'Validation result' })
    .getByText(/not confirmed/)
    .first()
    .waitFor();
  await expectNoAxeViolations(page);

  await page.getByLabel('Title').fill('A kite for less');
  await page.getByLabel('Value (CAD)').fill('12.50');
  await page.getByLabel('No expiry').check();
  await page.getByLabel('Description').fill('Any kite of the shop, also the big one.');
  await page.getByRole('button', { name: 'Add to My Coupons' }).click();
  await page.getByRole('button', { name: 'View in My Coupons' }).click();
  await page.waitForURL(/\/my-coupons\?coupon=\d+/);
});

it('an own code is shown as its stored QR code as text, and as a barcode', async () => {
  const { page } = member;
  const ticket = page.getByRole('article', { name: 'A kite for less' }).first();
  await ticket.getByRole('button', { name: 'Show code' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your coupon code' });
  await dialog.getByText('Scan this QR code with your phone to redeem the coupon').waitFor();
  const picture = dialog.getByRole('img', { name: /QR code of/ });
  await picture.and(page.locator('[data-loaded]')).waitFor();
  const shown = await site.ctx.providers.pictures.read(await picture.screenshot());
  expect(shown.codes.map(({ text }) => text)).toContain(CODES.picture);

  await dialog.getByRole('tab', { name: 'Code', exact: true }).click();
  expect(await dialog.getByLabel('Coupon code').textContent()).toBe(CODES.picture);
  await dialog.getByRole('button', { name: 'Show as barcode' }).click();
  const bars = dialog.getByRole('img', { name: /shown as barcode/ });
  await bars.and(page.locator('[data-loaded]')).waitFor();
  await dialog.getByText('Made from the code; the merchant may not accept it').waitFor();
  const read = await site.ctx.providers.pictures.read(await bars.screenshot());
  expect(read.codes.map(({ text }) => text)).toContain(CODES.picture);
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
});

it('no page had an error', () => {
  visitor.assertNoConsoleErrors();
  member.assertNoConsoleErrors();
});
