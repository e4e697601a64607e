import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as cheerio from 'cheerio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OFFER_PICTURE_SIZES, pictureIdOf, pictureSources } from '#contract/picture-addresses.ts';
import { createTestApp, type TestApp } from '#server/testing/app.ts';
import { createCoupon, createUser } from '#server/testing/builders.ts';
import { insertPicture } from '#server/testing/pictures.ts';

let test: TestApp;
let webRoot: string;
beforeAll(async () => {
  webRoot = mkdtempSync(path.join(tmpdir(), 'clipswap-web-'));
  writeFileSync(path.join(webRoot, 'index.html'), '<head><!-- page --><!-- /page --></head>');
  test = await createTestApp({ webRoot });
});
afterAll(async () => {
  await test?.close();
  rmSync(webRoot, { recursive: true });
});

it("the shell of a coupon's page names the files of its picture, which browsers load before the scripts", async () => {
  const owner = await createUser(test.ctx);
  const imageUrl = await insertPicture(test.ctx);
  const pictured = await createCoupon(test.ctx, owner, { pictureId: pictureIdOf(imageUrl) });
  const bare = await createCoupon(test.ctx, owner);
  const preload = async ({ id }: { id: number }) => {
    const { body } = await test.call(null, { method: 'GET', url: `/coupons/${id}` });
    return cheerio.load(body)('link[rel="preload"][as="image"]').attr();
  };
  expect(await preload(pictured)).toEqual({
    rel: 'preload',
    as: 'image',
    type: 'image/avif',
    imagesrcset: pictureSources(imageUrl)?.srcSets.avif,
    imagesizes: OFFER_PICTURE_SIZES,
    fetchpriority: 'high',
  });
  expect(await preload(bare)).toBeUndefined();
});
