import { Readable } from 'node:stream';
import { t } from '@lingui/core/macro';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { formatNumber } from '#contract/base/locale.ts';
import { marketName } from '#contract/base/market.ts';
import { baseCurrency } from '#contract/base/money.ts';
import { labelled } from '#contract/base/words.ts';
import type { Context } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import type { CouponTableRow } from '#server/coupons/codes/exporting.ts';
import { exportCoupons } from '#server/coupons/codes/service.ts';
import { openKept } from '#server/coupons/images/service.ts';
import { largestFile } from '#server/people/pictures/service.ts';
import { read } from '#server/texts/reading.ts';
import { CONTENTS, type Content, NOT_CONTENTS } from './contents.ts';
import { schemaOf } from './schema.ts';
import * as store from './store.ts';

/** Rows that are read at once. */
const PORTION = 500;

interface Asked {
  readonly userId: number;
  /** Whether it has the codes of the person’s coupons. */
  readonly hasCodes: boolean;
}

type Files = ReturnType<typeof openZip>;

/**
 * Everything that is stored about a person, as a ZIP archive: a JSON file a table, their JSON Schema, the coupons as a
 * CSV table, the pictures, and a page that says what is in it and what is not. Comes in pieces, so that a large one
 * takes no more memory than a small one.
 */
export async function* writeArchive(ctx: Context, asked: Asked): AsyncGenerator<Uint8Array> {
  const files = openZip(ctx.clock());
  const columns = await store.listColumns(ctx.db);
  const schemas: Record<string, object> = {};
  const found: string[] = [];
  for (const content of CONTENTS) {
    const all = columns.filter(({ table }) => table === content.table);
    const shown = all.filter(({ column }) => !content.leftOut.includes(column));
    const counter = { rows: 0 };
    yield* files.text(`${content.name}.json`, jsonOf(ctx, asked.userId, content, { all, shown, counter }));
    schemas[`${content.name}.json`] = schemaOf(content.title(), shown);
    found.push(labelled(`${content.name}.json`, `${content.title()} (${formatNumber(counter.rows)})`));
  }
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', $defs: schemas };
  yield* files.text('schema.json', [JSON.stringify(schema, null, 2)]);
  yield* files.text('coupons.csv', couponTable(ctx, asked));
  yield* pictures(ctx, asked, files);
  yield* files.text(`${t`READ ME`}.txt`, [readMe(ctx, asked, found)]);
  yield* files.end();
}

/** A ZIP archive that is written file by file. */
function openZip(at: Date) {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  function* add(name: string, bytes: Uint8Array) {
    const file = new ZipPassThrough(name);
    file.mtime = at;
    zip.add(file);
    file.push(bytes, true);
    yield* pieces.splice(0);
  }
  async function* text(name: string, parts: AsyncIterable<string> | Iterable<string>) {
    const file = new ZipDeflate(name);
    file.mtime = at;
    zip.add(file);
    for await (const part of parts) {
      file.push(Buffer.from(part));
      yield* pieces.splice(0);
    }
    file.push(new Uint8Array(), true);
    yield* pieces.splice(0);
  }
  function* end() {
    zip.end();
    yield* pieces.splice(0);
  }
  return { add, text, end };
}

/** The rows of a content as a JSON list, a row a line. */
async function* jsonOf(
  ctx: Context,
  userId: number,
  content: Content,
  given: { all: readonly store.Column[]; shown: readonly store.Column[]; counter: { rows: number } },
): AsyncGenerator<string> {
  const { all, shown, counter } = given;
  const key = all
    .filter(({ keyPlace }) => keyPlace !== null)
    .sort((one, other) => (one.keyPlace ?? 0) - (other.keyPlace ?? 0))
    .map(({ column }) => column);
  const names = shown.map(({ column }) => column);
  const columns = [...new Set([...key, ...names, ...Object.values(content.texts)])];
  yield '[';
  for (let after: Readonly<Record<string, unknown>> | null | undefined = null; after !== undefined; ) {
    const portion = { userId, at: ctx.clock(), columns, key, after, limit: PORTION };
    const rows = await store.readRows(ctx.db, content, portion);
    const lines = rows.map(
      (row) =>
        `\n${JSON.stringify(Object.fromEntries(names.map((name) => [name, shownOf(ctx, content, row, name)])))}`,
    );
    if (rows.length > 0) yield `${counter.rows === 0 ? '' : ','}${lines.join(',')}`;
    counter.rows += rows.length;
    after = rows.length < PORTION ? undefined : rows.at(-1);
  }
  yield '\n]\n';
}

function shownOf(
  ctx: Context,
  { texts }: Content,
  row: Readonly<Record<string, unknown>>,
  name: string,
): unknown {
  const text = texts[name];
  return text === undefined ? row[name] : read(ctx, row[text], String(row[name]));
}

/** The heads of the table of coupons, in words that `readTable` knows. */
export const couponColumns = (): Readonly<Record<keyof CouponTableRow, string>> => ({
  merchant: t`merchant`,
  title: t`title`,
  discount: t`discount`,
  end: t`valid until`,
  code: t`code`,
  pin: t`PIN`,
  category: t`category`,
  description: t`description`,
  terms: t`terms`,
  price: t`asking price`,
  regions: t`regions`,
});

async function* couponTable(ctx: Context, { userId: ownerId, hasCodes }: Asked): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify');
  const source = Readable.from(exportCoupons(ctx, { ownerId, hasCodes }));
  const table = stringify({
    header: true,
    columns: couponColumns(),
    record_delimiter: 'windows',
    escape_formulas: true,
  });
  source.on('error', (error) => table.destroy(error));
  yield* source.pipe(table).setEncoding('utf8');
}

async function* pictures(ctx: Context, { userId, hasCodes }: Asked, files: Files) {
  for (const { couponId, pictureId } of await store.listPictures(ctx.db, userId)) {
    const name = couponId === null ? 'profile' : `coupon-${couponId}`;
    const picture = await unlessGone(largestFile(ctx, pictureId));
    if (picture) yield* files.add(`pictures/${name}.${endingOf(picture.contentType)}`, picture.bytes);
  }
  const images = await store.listImages(ctx.db, { userId, hasCodes });
  for (const [index, image] of images.entries()) {
    const name =
      image.couponId === null
        ? `claim-${image.claimId}-${index}`
        : `code-of-coupon-${image.couponId}-${image.kind}`;
    const picture = await unlessGone(openKept(ctx, image));
    if (picture) yield* files.add(`pictures/${name}.${endingOf(picture.contentType)}`, picture.bytes);
  }
}

const endingOf = (contentType: string) =>
  contentType
    .replace(/^image\//, '')
    .split('+', 1)
    .join();

/** Null for a picture that has been removed in the meantime. */
async function unlessGone<Picture>(reading: Promise<Picture>): Promise<Picture | null> {
  return reading.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  });
}

function readMe(ctx: Context, { hasCodes }: Asked, found: readonly string[]): string {
  const missing = [...new Set(Object.values(NOT_CONTENTS))];
  const [site, at] = [ctx.config.publicUrl, ctx.clock().toISOString()];
  return [
    t`Your data on ${{ market: marketName() }} (${site}), ${at}`,
    '',
    t`The files, with the number of entries. schema.json describes them. Times are in UTC, amounts in ${{ currency: baseCurrency() }}; values of coupons are in hundredths. People are named by their numbers.`,
    '',
    ...found,
    hasCodes
      ? t`coupons.csv: Your coupons as a table that ${{ market: marketName() }} can read again, with their codes`
      : t`coupons.csv: Your coupons as a table that ${{ market: marketName() }} can read again, without their codes`,
    t`pictures: The pictures of your profile, your coupons and your claims`,
    '',
    t`What is not in it:`,
    '',
    ...missing.map((reason) => `- ${reason()}.`),
    `- ${t`Your password and other secrets: we have only hashes of them, or nothing that you could use.`}`,
    '',
  ].join('\r\n');
}
