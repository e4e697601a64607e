import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { updateCouponInputSchema } from '#contract/coupons/coupons.ts';
import { pictureIdOf, pictureSources } from '#contract/people/picture-addresses.ts';
import type { Actor } from '#server/context/context.ts';
import { createLogger } from '#server/core/log.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { removeCoupon, updateCoupon } from '#server/deals/coupon-changes/service.ts';
import { cleanUpPictures, readPicture } from '#server/people/pictures/service.ts';
import { internet } from '#server/providers/guarded-network.ts';
import { openFeedPictures } from '#server/readers/feeds/feed-pictures.ts';
import { FETCH_LIMITS } from '#server/readers/feeds/guarded-fetch.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { aFeedOffer } from '#tests/support/feeds.ts';
import { HANGS_MS } from '#tests/support/patience.ts';
import { plainPicture, uploadPlainPicture } from '#tests/support/pictures.ts';
import { takeFeedPictures } from './feed-pictures.ts';
import { importCoupon } from './importing.ts';

const ctx = setUpContext();
const never = new AbortController().signal;
const MINUTE = 1 / 1_440;
let me: Actor;
let other: Actor;
let picture: Buffer;
beforeAll(async () => {
  me = await createUser(ctx);
  other = await createUser(ctx);
  picture = await plainPicture();
});

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const lines: { msg: string; problem?: string }[] = [];
const sink = new PassThrough().on('data', (line) => lines.push(JSON.parse(String(line))));
const log = createLogger({ logLevel: 'info', isProduction: true }, sink);

/** The merchant's host: a server of this machine under a public address, reached by plain HTTP. */
async function host(answer: RequestListener = (_request, response) => response.end(picture)) {
  const asked: string[] = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const network = {
    ...internet,
    protocols: ['http:'],
    resolve: async () => ['93.184.216.34'],
    route: () => '127.0.0.1',
  };
  const limits = { ...FETCH_LIMITS, idleMs: HANGS_MS, totalMs: 2_000, maxBytes: 1_000_000 };
  const job = {
    ...ctx,
    log,
    providers: { ...ctx.providers, feedPictures: openFeedPictures({ network, limits }) },
  };
  return {
    job,
    asked,
    url: (name: string, at = 'img') => `http://${at}.example:${port}/${name}`,
    take: (end = never) => takeFeedPictures(job, end),
  };
}

const importFrom = async (imageUrl: string | null, who = me) =>
  (await importCoupon(actingAs(ctx, who), aFeedOffer({ imageUrl }))).id;
const imageOf = async (id: number, who = me) => (await couponById(actingAs(ctx, who), id)).imageUrl;
const problems = () => lines.splice(0).flatMap(({ problem }) => problem ?? []);

describe('the picture of an imported offer', () => {
  it('is encoded anew and given to the coupon after the import, which does not wait for it', async () => {
    const { url, take, asked } = await host();
    const id = await importFrom(url('bread.png'));
    expect({ asked, imageUrl: await imageOf(id) }).toEqual({ asked: [], imageUrl: null });
    expect(await take()).toEqual({ taken: 1, givenUp: 0 });
    const imageUrl = (await imageOf(id)) ?? '';
    expect(pictureSources(imageUrl)).toMatchObject({ width: 8, height: 6 });
    const file = await readPicture(ctx, { id: pictureIdOf(imageUrl), width: 8, format: 'avif' });
    expect(file.contentType).toBe('image/avif');
    expect(await take()).toEqual({ taken: 0, givenUp: 0 });
    expect(asked).toEqual(['/bread.png']);
  });

  it('is fetched once for all coupons and people, and again a week later', async () => {
    const { url, take, asked } = await host();
    const ids = [await importFrom(url('logo.png')), await importFrom(url('logo.png'))];
    const theirs = await importFrom(url('logo.png'), other);
    await take();
    const later = await importFrom(url('logo.png'));
    await take();
    expect(asked).toEqual(['/logo.png']);
    const shown = [
      await imageOf(theirs, other),
      ...(await Promise.all([...ids, later].map((id) => imageOf(id)))),
    ];
    expect(new Set(shown).size).toBe(1);
    ctx.clock.advanceDays(8);
    const muchLater = await importFrom(url('logo.png'));
    await take();
    expect(asked).toHaveLength(2);
    expect([null, shown[0]]).not.toContain(await imageOf(muchLater));
  });

  it('stays for the others when one of the coupons goes, and is removed with the last', async () => {
    const { url, take } = await host();
    const [mine, theirs] = [await importFrom(url('shared.png')), await importFrom(url('shared.png'), other)];
    await take();
    const id = pictureIdOf((await imageOf(mine)) ?? '');
    const file = () => readPicture(ctx, { id, width: 8, format: 'webp' });
    await removeCoupon(actingAs(ctx, me), mine);
    ctx.clock.advanceDays(9);
    await cleanUpPictures(ctx);
    expect((await file()).bytes.length).toBeGreaterThan(0);
    const input = updateCouponInputSchema.parse({ id: theirs, imageUrl: null });
    await updateCoupon(actingAs(ctx, other), input);
    expect((await file()).bytes.length).toBeGreaterThan(0);
    await cleanUpPictures(ctx);
    await expect(file()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('does not replace what the person decides meanwhile', async () => {
    const { url, take } = await host();
    const ids = [];
    for (let count = 0; count < 4; count += 1) ids.push(await importFrom(url('late.png')));
    const [own = 0, without = 0, elsewhere = 0, deleted = 0] = ids;
    const edit = (given: object) => updateCoupon(actingAs(ctx, me), updateCouponInputSchema.parse(given));
    const imageUrl = await uploadPlainPicture(actingAs(ctx, me));
    await edit({ id: own, imageUrl });
    await edit({ id: without, imageUrl: await uploadPlainPicture(actingAs(ctx, me)) });
    await edit({ id: without, imageUrl: null });
    await edit({ id: elsewhere, merchant: 'Another shop' });
    await removeCoupon(actingAs(ctx, me), deleted);
    const kept = await importFrom(url('late.png'));
    await edit({ id: kept, title: 'A title of my own' });
    await take();
    expect(await Promise.all([own, without, elsewhere].map((id) => imageOf(id)))).toEqual([
      imageUrl,
      null,
      null,
    ]);
    expect(await imageOf(kept)).not.toBeNull();
  });

  it('is not fetched for a banned person', async () => {
    const { url, take, asked } = await host();
    const banned = await createUser(ctx);
    const id = await importFrom(url('banned.png'), banned);
    await ctx.db.updateTable('users').set({ status: 'banned' }).where('id', '=', banned.id).execute();
    expect(await take()).toEqual({ taken: 0, givenUp: 0 });
    const { pictureId } = await ctx.db
      .selectFrom('coupons')
      .select('pictureId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect({ asked, pictureId }).toEqual({ asked: [], pictureId: null });
  });

  it('is fetched once by processes that run at once, and again after one has failed in the middle', async () => {
    const { url, take, asked, job } = await host();
    const id = await importFrom(url('both.png'));
    await Promise.all([take(), take()]);
    expect(await imageOf(id)).not.toBeNull();
    const dying = await importFrom(url('dying.png'));
    const dead = { ...job, providers: { ...job.providers, pictures: { ...ctx.providers.pictures } } };
    dead.providers.pictures.publish = () => Promise.reject(new Error('a fault of ours'));
    expect(await takeFeedPictures(dead, never)).toEqual({ taken: 0, givenUp: 0 });
    expect(await take()).toEqual({ taken: 0, givenUp: 0 });
    ctx.clock.advanceDays(5 * MINUTE);
    expect(await take()).toEqual({ taken: 1, givenUp: 0 });
    expect(await imageOf(dying)).not.toBeNull();
    expect(asked).toEqual(['/both.png', '/dying.png', '/dying.png']);
  });

  it('starts nothing new when the program stops', async () => {
    const { url, take, asked } = await host();
    await importFrom(url('stopping.png'));
    expect(await take(AbortSignal.abort())).toEqual({ taken: 0, givenUp: 0 });
    expect(asked).toEqual([]);
    await take();
  });
});

describe('a picture that is none, or must not be one', () => {
  it('is given up at once, with one line in the log', async () => {
    const code = await ctx.providers.pictures.draw('qrcode', 'SAVE-20');
    const endless: RequestListener = (_request, response) => {
      const more = () => response.write(Buffer.alloc(100_000), (error) => error || more());
      more();
    };
    const answers: Record<string, RequestListener> = {
      '/gone': (_request, response) => response.writeHead(404).end(),
      '/page.png': (_request, response) => response.end('<html><img src="x"></html>'),
      '/drawing.svg': (_request, response) => response.end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      '/large.png': (_request, response) => response.writeHead(200, { 'content-length': 40_000_000 }).end(),
      '/endless.png': endless,
      '/metadata': (_request, response) =>
        response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
      '/local': (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
      '/code.png': (_request, response) => response.end(code?.bytes),
    };
    const { url, take, asked } = await host((request, response) => {
      answers[request.url ?? '']?.(request, response);
    });
    const ids = [];
    for (const name of Object.keys(answers)) ids.push(await importFrom(url(name.slice(1))));
    lines.splice(0);
    expect(await take()).toEqual({ taken: 0, givenUp: 8 });
    expect(problems()).toEqual([
      'Its server answered with status 404.',
      'The picture was refused: not_an_image',
      'The picture was refused: not_an_image',
      'It is larger than 1 MB.',
      'It is larger than is allowed.',
      'Its address is not public.',
      'Its address is not public.',
      'A code can be read in it.',
    ]);
    expect(await Promise.all(ids.map((id) => imageOf(id)))).toEqual(Array(8).fill(null));

    // Nor for the next who imports such an offer, for a day.
    await importFrom(url('gone'), other);
    expect(await take()).toEqual({ taken: 0, givenUp: 0 });
    expect(asked).toHaveLength(8);
    ctx.clock.advanceDays(2);
    await take();
    await importFrom(url('gone'), other);
    expect(await take()).toEqual({ taken: 0, givenUp: 1 });
  });

  it('is tried again with growing pauses while its host is down, and then given up', async () => {
    let isUp = false;
    const { url, take, asked } = await host((_request, response) => {
      if (isUp) response.end(picture);
      else response.writeHead(503).end();
    });
    const ids = [await importFrom(url('a.png')), await importFrom(url('b.png'))];
    const elsewhere = await importFrom(url('c.png', 'other'));
    lines.splice(0);
    for (let minute = 0; minute < 70; minute += 1) {
      await take();
      ctx.clock.advanceDays(MINUTE);
    }
    // One request a run and host: each picture at 0, 5, 20 and 65 minutes, the second of the host a minute later.
    expect(asked).toHaveLength(12);
    isUp = true;
    ctx.clock.advanceDays(135 * MINUTE);
    expect(await take()).toEqual({ taken: 3, givenUp: 0 });
    for (const id of [...ids, elsewhere]) expect(await imageOf(id)).not.toBeNull();
    expect(problems()).toEqual([]);

    isUp = false;
    const lost = await importFrom(url('lost.png'));
    for (const minutes of [5, 15, 45, 135]) {
      expect(await take()).toEqual({ taken: 0, givenUp: 0 });
      ctx.clock.advanceDays(minutes * MINUTE);
    }
    expect(await take()).toEqual({ taken: 0, givenUp: 1 });
    expect(problems()).toEqual(['Its server answered with status 503.']);
    expect(await imageOf(lost)).toBeNull();
  });
});
