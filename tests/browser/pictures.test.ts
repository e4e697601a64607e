import type { Browser, Route } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createUser } from '#tests/support/builders.ts';
import { plainPicture } from '#tests/support/pictures.ts';
import {
  closePages,
  expectNoAxeViolations,
  expectNoLayoutJump,
  expectNoSidewaysScroll,
  holdBack,
  openPage,
  placeOf,
  sharedBrowser,
  untilStill,
} from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

/** Public pictures from end to end: of an offer, refused while its code can be read, and of a person. */

const CODE = 'PICTURED-KITE-2207';

let site: Site;
let browser: Browser;
let kim: Actor;

beforeAll(async () => {
  site = await openSite({ withDemo: false });
  kim = await createUser(site.ctx, { username: 'kite_kim' });
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

/** A photograph with a QR code in its middle. */
async function pictureWithCode(): Promise<Buffer> {
  const drawn = await site.ctx.providers.pictures.draw('qrcode', CODE);
  const input = await sharp(drawn?.bytes).resize(160).toBuffer();
  const ground = sharp({ create: { width: 480, height: 360, channels: 3, background: '#7fb3a6' } });
  return ground.composite([{ input }]).png().toBuffer();
}

it('a picture with a code is refused until the code is covered, then shown on the ticket and the page', async () => {
  const { page, context } = await openPage(browser, { baseUrl: site.baseUrl, width: 390, height: 844 });
  await signIn(site, context, kim);
  await page.goto('/my-coupons');
  await page.getByRole('button', { name: 'Add a Coupon' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add a New Coupon' });
  await form.getByRole('button', { name: 'Fill in the form yourself' }).click();
  await form.getByLabel('Title').fill('A kite for less');
  await form.getByLabel('Merchant').fill('Kite Corner');
  await form.getByRole('combobox', { name: 'Category' }).click();
  await page.getByRole('option', { name: 'Retail' }).click();
  await form.getByLabel('Description').fill('Any kite of the shop.');
  await form.getByLabel('Value (CAD)').fill('12.50');
  await form.getByLabel('No expiry').check();
  const file = { name: 'kite.png', mimeType: 'image/png', buffer: await pictureWithCode() };
  await form.getByLabel('Picture of the offer: file').setInputFiles(file);

  const editor = page.getByRole('dialog', { name: 'Crop or cover' });
  await editor.getByRole('button', { name: 'Use this picture' }).click();
  await editor.getByText('This picture shows a code').waitFor();
  await expectNoAxeViolations(page);
  await expectNoSidewaysScroll(page);
  for (const button of await editor.getByRole('button').filter({ visible: true }).all()) {
    if ((await button.textContent()) !== '')
      expect((await placeOf(button)).height).toBeGreaterThanOrEqual(44);
  }
  // The buttons stay within reach however tall the picture is.
  const use = await placeOf(editor.getByRole('button', { name: 'Use this picture' }));
  expect(use.bottom).toBeLessThanOrEqual(844);

  await editor.getByRole('button', { name: 'Cover selection' }).click();
  await editor.getByRole('button', { name: 'Use this picture' }).click();
  await form.getByRole('img', { name: 'Uploaded: Picture of the offer' }).waitFor();
  // The answer is lost: the form says so beside the button, however far it is scrolled, and the coupon is listed once.
  const loseAnswer = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route('**/coupons.create', loseAnswer, { times: 1 });
  const add = form.getByRole('button', { name: 'Add coupon' });
  await form.getByLabel('Title').scrollIntoViewIfNeeded();
  await add.click();
  const failure = form.getByRole('alert').filter({ hasText: 'Network error' });
  await failure.waitFor();
  await untilStill(page);
  expect(await failure.evaluate(isSeen)).toBe(true);
  await expectNoAxeViolations(page);

  const sendToast = await holdBack(page, '**/toast-stack*.js');
  await add.click();
  await form.waitFor({ state: 'detached' });

  // On phones the whole ticket is the link. A toast that comes between finger and ticket does not end the press.
  const ticket = page.getByRole('article', { name: 'A kite for less' });
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  // So low that it scrolls until the ticket is where toasts are.
  await page.setViewportSize({ width, height: height / 2 });
  await ticket.evaluate((element) => element.scrollIntoView());
  const y = 190;
  await page.mouse.move(width / 2, y);
  await page.mouse.down();
  sendToast();
  const toast = page.getByRole('status').filter({ hasText: 'Coupon added' });
  const box = await placeOf(toast);
  expect(box.y).toBeLessThan(y);
  expect(box.bottom).toBeGreaterThan(y);
  await page.mouse.up();
  await page.setViewportSize({ width, height });
  const picture = page.getByRole('img', { name: 'Picture of the offer: A kite for less' });
  await picture.waitFor();
  // The picture comes long after the text, which must not move then.
  const sendPicture = await holdBack(page, '**/api/pictures/**');
  // The page is not loaded before its picture is.
  await page.reload({ waitUntil: 'domcontentloaded' });
  await page.getByRole('heading', { name: 'Description' }).waitFor();
  sendPicture();
  const loaded = await picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const { currentSrc: file, naturalWidth: width, loading } = image;
    return { file, width, loading, from: location.origin };
  });
  expect(loaded.file).toMatch(new RegExp(`^${loaded.from}/api/pictures/[\\w-]+/\\d+\\.avif$`));
  expect(loaded.width).toBeGreaterThan(0);
  // It is the largest thing on the page.
  expect(loaded.loading).toBe('eager');
  await expectNoLayoutJump(page);
  await expectNoAxeViolations(page);
});

it('a profile picture is cut, shown in the header and on the profile, and removed [spec/1 3.17]', async () => {
  const { page, context, assertNoConsoleErrors } = await openPage(browser, { baseUrl: site.baseUrl });
  await signIn(site, context, kim);
  await page.goto('/profile-settings#profile');
  const form = page.getByRole('form', { name: 'Profile' });
  // Blue in the middle, which is what the selection keeps.
  const middle = await plainPicture(300, 200, 'blue');
  const ground = sharp({ create: { width: 600, height: 400, channels: 3, background: 'white' } });
  const buffer = await ground
    .composite([{ input: middle }])
    .png()
    .toBuffer();
  await form
    .getByLabel('Profile picture: file')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
  const editor = page.getByRole('dialog', { name: 'Crop or cover' });
  await editor.getByRole('button', { name: 'Crop to selection' }).click();
  await editor.getByRole('button', { name: 'Use this picture' }).click();
  await form.getByRole('img', { name: 'Uploaded: Profile picture' }).waitFor();
  await form.getByRole('button', { name: 'Save profile' }).click();
  await page.getByText('Profile saved').waitFor();

  const account = page.getByRole('button', { name: 'Account of kite_kim' });
  await page.goto('/profile');
  for (const place of [account, page.getByRole('main')]) {
    const picture = place.locator('img[src^="/api/pictures/"]').first();
    const [width, height, ...color] = await picture.evaluate(cornerOf);
    expect(width).toBe(height);
    // Blue, and a little of its neighbours' light at the edge of a smaller size.
    expect(color).toEqual([
      expect.toSatisfy((red) => red < 40),
      expect.toSatisfy((green) => green < 40),
      expect.toSatisfy((blue) => blue > 200),
    ]);
  }
  await expectNoLayoutJump(page);
  await expectNoAxeViolations(page);

  await page.goto('/profile-settings#profile');
  await form.getByRole('button', { name: 'Remove' }).click();
  await form.getByRole('button', { name: 'Save profile' }).click();
  await account.getByText('K', { exact: true }).waitFor();
  expect(await page.locator('img[src^="/api/pictures/"]').count()).toBe(0);
  assertNoConsoleErrors();
});

/** Whether the middle of an element is on screen, and nothing covers it. */
function isSeen(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}

/** The natural size of a picture, and the colour near its corner. */
async function cornerOf(image: Element): Promise<number[]> {
  if (!(image instanceof HTMLImageElement)) throw new Error('It is no picture');
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
  canvas?.drawImage(image, 0, 0);
  const [red = 0, green = 0, blue = 0] = canvas?.getImageData(2, 2, 1, 1).data ?? [];
  return [width, height, red, green, blue];
}
