import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { expectNoAxeViolations, launchBrowser, type OpenedPage, openPage } from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

/** A code from end to end: read from a picture and by a camera, validated, listed, redeemed. */

const CODES = { picture: 'PICTURE-KITE-5508', camera: 'CAMERA-FOX-1174' };
const STACK = ['STACK-ELM-2201', 'STACK-OAK-7730', 'STACK-FIR-0096'];

let site: Site;
let browser: Browser;
let scanner: Browser;
let folder: string;
let visitor: OpenedPage;
let member: OpenedPage;
let stack: OpenedPage;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'clipswap-browser-'));
  site = await openSite({ withDemo: false });
  await createUser(site.ctx, { username: 'kite_kim' });
  browser = await launchWithFilm('one', [CODES.camera]);
  scanner = await launchWithFilm('stack', STACK);
  visitor = await openPage(browser, { baseUrl: site.baseUrl, width: 390, height: 844, colorScheme: 'dark' });
  member = await openPage(browser, { baseUrl: site.baseUrl });
});
afterAll(async () => {
  await browser?.close();
  await scanner?.close();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

async function pictureOf(code: string): Promise<Buffer> {
  const drawn = await site.ctx.providers.pictures.draw('qrcode', code);
  if (!drawn) throw new Error('The code cannot be drawn');
  return drawn.bytes;
}

async function launchWithFilm(name: string, codes: readonly string[]): Promise<Browser> {
  return launchBrowser([
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${await filmOf(name, codes)}`,
  ]);
}

/** A film of codes side by side for a fake camera, in the simplest format that Chromium accepts (YUV4MPEG2). */
async function filmOf(name: string, codes: readonly string[]): Promise<string> {
  const [width, height] = [1_280, 480];
  const side = Math.floor(width / codes.length);
  const pictures = codes.map(async (code, place) => ({
    input: await sharp(await pictureOf(code))
      .resize(side, height, { fit: 'contain', background: 'white', kernel: 'nearest' })
      .png()
      .toBuffer(),
    left: place * side,
    top: 0,
  }));
  const white = { width, height, channels: 3, background: 'white' } as const;
  const grey = await sharp({ create: white })
    .composite(await Promise.all(pictures))
    .greyscale()
    .raw()
    .toBuffer();
  const colourless = Buffer.alloc((width * height) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), grey, colourless]);
  const file = path.join(folder, `${name}.y4m`);
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

it('a stack of codes is scanned without closing the camera, and becomes rows, or a form', async () => {
  stack = await openPage(scanner, { baseUrl: site.baseUrl, width: 390, height: 844 });
  const { page, context } = stack;
  await signIn(site, context, await createUser(site.ctx));
  await page.addInitScript(() => {
    const lights: boolean[] = [];
    Object.assign(window, { lights });
    MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true });
    MediaStreamTrack.prototype.applyConstraints = async (given) => {
      lights.push(given?.advanced?.[0]?.torch ?? false);
    };
  });
  const dialog = page.getByRole('dialog', { name: 'Scan codes' });
  const scan = async () => {
    await page.getByRole('button', { name: 'Scan codes' }).click();
    await dialog.getByText('3 codes scanned.').waitFor();
  };
  await page.goto('/my-coupons?add=1');
  await scan();
  for (const code of STACK) await dialog.getByText(code).waitFor();
  await dialog.getByRole('button', { name: 'Turn the light on' }).click();
  await dialog.getByRole('button', { name: 'Turn the light off' }).click();
  await dialog.getByRole('button', { name: 'Turn the light on' }).waitFor();
  expect(await page.evaluate(() => (window as { lights?: boolean[] }).lights)).toEqual([true, false]);
  await dialog.getByRole('button', { name: `Remove ${STACK[0]}` }).click();
  await dialog.getByText('2 codes scanned.').waitFor();
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.waitForURL('/add-coupons');
  await page.getByRole('heading', { name: '2 rows' }).waitFor();
  const fields = page.getByRole('textbox', { name: /^Code/ });
  const texts = await fields.evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value));
  expect(texts.sort()).toEqual(STACK.slice(1).sort());

  const second = await openPage(scanner, { baseUrl: site.baseUrl });
  await signIn(site, second.context, await createUser(site.ctx));
  await second.page.goto('/my-coupons?add=1');
  await second.page.getByRole('button', { name: 'Scan codes' }).click();
  const again = second.page.getByRole('dialog', { name: 'Scan codes' });
  await again.getByText('3 codes scanned.').waitFor();
  for (const code of STACK.slice(1)) await again.getByRole('button', { name: `Remove ${code}` }).click();
  await again.getByRole('button', { name: 'Done' }).click();
  const code = second.page.getByRole('dialog', { name: 'Add a New Coupon' }).getByLabel('Coupon code');
  expect(await code.inputValue()).toBe(STACK[0]);
  second.assertNoConsoleErrors();
});

it('no page had an error', () => {
  stack.assertNoConsoleErrors();
  visitor.assertNoConsoleErrors();
  member.assertNoConsoleErrors();
});
