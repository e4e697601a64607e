import { t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import { DRAFT_DAYS } from '#contract/coupons/drafts.ts';
import { PAGES_ONE_BY_ONE_MAX } from '#contract/coupons/images.ts';
import type { LeftOut } from '#contract/coupons/left-out.ts';
import {
  couponOfFacts,
  couponsOfPicture,
  FIRST_KIND,
  type ReadCoupon,
} from '#contract/coupons/read-coupons.ts';
import type { Context } from '#server/context/context.ts';
import { addDays, addHours, utcDay } from '#server/core/clock.ts';
import {
  discardUploads,
  factsOf,
  imageIdOf,
  imageUrl,
  keepUploads,
  readPrint,
  storeImage,
} from '#server/coupons/images/service.ts';
import { type Database, inTransaction, type Trx } from '#server/database/client.ts';
import { inLanguageOf } from '#server/people/accounts/service.ts';
import { notify } from '#server/people/notifications/service.ts';
import type { MailPart } from '#server/readers/mails/parts.ts';
import { type PictureProblem, PictureRefusal, type ReadPicture } from '#server/readers/pictures/pictures.ts';
import { leftOfMail, MAILED_TEXTS } from '#server/texts/coupons.ts';
import * as store from './store.ts';
import { type MailReport, openPart, openReport, sealDraft, sealReport } from './view.ts';

/** How long one process may take for one part, and how long a mail waits after a failure. */
const [LEASE_HOURS, RETRY_HOURS] = [1 / 6, 1 / 60];
/** A part that cannot be read after so many attempts at its mail is left out. */
const TRIES = 3;

/** A later attempt may succeed. */
const MAY_PASS: ReadonlySet<PictureProblem> = new Set(['busy', 'too_slow', 'interrupted']);

/** The file is not what it says. */
const BROKEN: ReadonlySet<PictureProblem> = new Set(['broken', 'broken_pass', 'not_an_image']);

/** More parts than a mail has. */
const PARTS_MAX = 50;
/** How much is noted of one mail. */
const LEFT_OUT_MAX = 50;

/** A mail that waits to be read. */
type Taken = NonNullable<Awaited<ReturnType<typeof store.takeMail>>>;

/**
 * Reads the mails that wait, part by part. A part and its drafts are one transaction, so that a mail whose reading was
 * interrupted goes on where it was, and nothing becomes two drafts.
 * @param signal stops after the part under way
 * @returns how many mails were read
 */
export async function readWaitingMail(ctx: Context, signal?: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal?.aborted) {
    const at = ctx.clock();
    const mail = await store.takeMail(ctx.db, { at, until: addHours(at, LEASE_HOURS) });
    if (!mail) break;
    try {
      if (await readMail(ctx, mail, signal)) count += 1;
    } catch (error) {
      ctx.log.warn({ err: error, mail: mail.id }, 'a mail waits for another attempt');
      await store.postpone(ctx.db, mail.id, addHours(ctx.clock(), RETRY_HOURS));
    }
  }
  return count;
}

/** @returns whether it was read to its end */
async function readMail(ctx: Context, mail: Taken, signal?: AbortSignal): Promise<boolean> {
  // Something in it has ended the process each time.
  if (mail.attempts > TRIES + 1) await giveUp(ctx, mail);
  for (;;) {
    if (signal?.aborted) {
      await store.giveBack(ctx.db, mail.id, ctx.clock());
      return false;
    }
    const [row] = await store.listParts(ctx.db, mail.id, 1);
    if (!row) break;
    const part = openPart(ctx.vault, mail.id, row.sealed);
    const { coupons, leftOut } = await inLanguageOf(ctx.db, mail.userId, () => readPart(ctx, mail, part));
    const isStored = await inTransaction(ctx.db, async (trx) => {
      const until = addHours(ctx.clock(), LEASE_HOURS);
      if (!(await store.lockMail(trx, mail.id, until)) || !(await store.deletePart(trx, row.id)))
        return false;
      const drafts = coupons.map((coupon) => ({
        imageId: coupon.picture && imageIdOf(coupon.picture.url),
        sealed: sealDraft(ctx.vault, mail.id, coupon, part),
      }));
      const at = ctx.clock();
      const stored = await store.insertDrafts(trx, { userId: mail.userId, mailId: mail.id, drafts, at });
      const ids = drafts.map(({ imageId }) => imageId).filter((id) => id !== null);
      const beyond = drafts.length - stored;
      await note(ctx, trx, mail.id, {
        leftOut: beyond > 0 ? [...leftOut, { what: 'drafts', count: beyond }] : leftOut,
        found: coupons.length > 0 ? [part.path] : [],
      });
      const left = drafts.slice(stored).map(({ imageId }) => imageId);
      await keepUploads(trx, { ids, until: addDays(at, DRAFT_DAYS) });
      await discardUploads(trx, { ids: left.filter((id) => id !== null), at });
      return true;
    });
    // Another process goes on with it, or the account is gone.
    if (!isStored) return false;
  }
  return finish(ctx, mail);
}

/** Leaves out the rest of a mail. */
async function giveUp(ctx: Context, { id }: Taken): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if (!(await store.lockMail(trx, id, addHours(ctx.clock(), LEASE_HOURS)))) return;
    const rest = await store.listParts(trx, id, PARTS_MAX);
    const leftOut = rest.flatMap(({ sealed }) => unreadPart(openPart(ctx.vault, id, sealed), 'unread'));
    await note(ctx, trx, id, { leftOut, found: [] });
    await store.deletePartsOf(trx, id);
  });
}

const reportOf = async (ctx: Context, db: Database | Trx, id: number) =>
  openReport(ctx.vault, id, await store.reportOf(db, id));

/** Adds to what is noted of a mail, which is locked. */
async function note(ctx: Context, trx: Trx, id: number, more: MailReport): Promise<void> {
  if (more.leftOut.length === 0 && more.found.length === 0) return;
  const { leftOut, found } = await reportOf(ctx, trx, id);
  const report = {
    leftOut: [...leftOut, ...more.leftOut].slice(0, LEFT_OUT_MAX),
    found: [...new Set([...found, ...more.found])],
  };
  await store.setReport(trx, id, sealReport(ctx.vault, id, report));
}

/** Tells the person what became of the mail, once. */
async function finish(ctx: Context, { id, userId }: Taken): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    if (!(await store.lockMail(trx, id, null))) return false;
    const count = await store.countDraftsOfMail(trx, id);
    const left = leftOfMail((await reportOf(ctx, trx, id)).leftOut);
    const isWhole = Object.keys(left).length === 0;
    const found = isWhole ? MAILED_TEXTS.found({ count }) : MAILED_TEXTS.foundSome({ count, left });
    const none = isWhole ? MAILED_TEXTS.none() : MAILED_TEXTS.unread({ left });
    await notify(trx, {
      userId,
      type: 'other',
      content: count > 0 ? found : none,
      relatedId: null,
      link: paths.addMany,
      mailSubject: MAILED_TEXTS.subject(),
      at: ctx.clock(),
    });
    return true;
  });
}

/** What was read of a part of a mail. */
interface ReadPart {
  readonly coupons: readonly ReadCoupon[];
  readonly leftOut: LeftOut[];
}

/** The coupons in a part of a mail; none where it cannot be read. @throws PictureRefusal where it may be read later */
async function readPart(ctx: Context, mail: Taken, part: MailPart): Promise<ReadPart> {
  try {
    switch (part.kind) {
      case 'picture':
      case 'document':
        return await readFile(ctx, mail, part);
      case 'csv':
      case 'workbook':
        return await readTable(ctx, part.kind, part);
      case 'text':
        return await readText(ctx, mail, part);
    }
  } catch (error) {
    const problem = error instanceof PictureRefusal ? error.problem : null;
    const isFinal = problem !== null && !MAY_PASS.has(problem);
    if (mail.attempts < TRIES && !isFinal) throw error;
    ctx.log.warn({ err: error, mail: mail.id }, 'a part of a mail could not be read');
    const why =
      problem === 'locked' ? 'locked' : problem !== null && BROKEN.has(problem) ? 'broken' : 'unread';
    return { coupons: [], leftOut: unreadPart(part, why) };
  }
}

/** What is said of a part that cannot be read; nothing of a picture within the text, which may be a logo. */
function unreadPart({ kind, name, isInline }: MailPart, why: 'locked' | 'broken' | 'unread'): LeftOut[] {
  if (kind === 'text') return [{ what: 'mail' }];
  return kind === 'picture' && isInline ? [] : [{ what: 'file', name, why }];
}

const bytesOf = ({ content }: MailPart) => Buffer.from(content, 'base64');

/** Those of a picture, a wallet pass or a PDF, as its pages are read on the page for many coupons. */
async function readFile(ctx: Context, { userId }: Taken, part: MailPart): Promise<ReadPart> {
  const { pages, beyond } = await pagesOf(ctx, part);
  const withCodes = pages.filter(({ codes }) => codes.length > 0);
  const coupons: ReadCoupon[] = [];
  // What stands within the text and has no code may be a logo.
  for (const page of withCodes.length > 0 || part.isInline ? withCodes : pages.slice(0, 1)) {
    const isOne = page.codes.length <= 1;
    const facts =
      page.facts ?? (isOne ? await factsOf(ctx, await readPrint(ctx, page.bytes, page.codes)) : undefined);
    // A picture of several codes belongs to none of their coupons.
    const url = isOne ? imageUrl(await storeImage(ctx, FIRST_KIND, page, userId)) : '';
    coupons.push(...couponsOfPicture({ url, codes: page.codes, facts }));
  }
  return { coupons, leftOut: beyond > 0 ? [{ what: 'pages', name: part.name, count: beyond }] : [] };
}

/** The pages of a file as far as they are read, and how many follow. */
async function pagesOf({ providers: { pictures } }: Context, part: MailPart) {
  const bytes = bytesOf(part);
  if (part.kind === 'picture') return { pages: [await pictures.read(bytes)], beyond: 0 };
  const pages: ReadPicture[] = [];
  let count = 1;
  for (let page = 1; page <= Math.min(count, PAGES_ONE_BY_ONE_MAX); page += 1) {
    const read = await pictures.read(bytes, page);
    count = read.pages ?? 1;
    pages.push(read);
  }
  return { pages, beyond: count - pages.length };
}

async function readTable(
  { providers }: Context,
  kind: 'csv' | 'workbook',
  part: MailPart,
): Promise<ReadPart> {
  const table = await providers.pictures.readTableFile(kind, bytesOf(part));
  const coupons = table.rows.map(({ coupon, doubts }) => ({ coupon, doubts, picture: null }));
  return { coupons, leftOut: table.leftOut };
}

/** The coupons that a mail describes in words, unless its files have them. */
async function readText(ctx: Context, { id }: Taken, part: MailPart): Promise<ReadPart> {
  const { found } = await reportOf(ctx, ctx.db, id);
  if (found.some((path) => path.startsWith(part.path))) return { coupons: [], leftOut: [] };
  return couponsOfText(ctx, part, t`Please compare it with the email.`);
}

/** The coupons that a text describes. @param doubt what is said of fields that may be misread @throws PictureRefusal */
export async function couponsOfText(ctx: Context, part: MailPart, doubt: string): Promise<ReadPart> {
  const told = await ctx.providers.pictures.readMailText(part, utcDay(ctx.clock()));
  const coupons: ReadCoupon[] = [];
  for (const { code, pin, doubtful, print } of told.coupons) {
    const { coupon, doubts } = couponOfFacts(await factsOf(ctx, print));
    const fields = [...Object.keys(doubts), ...doubtful];
    coupons.push({
      coupon: { ...coupon, code, pin },
      doubts: Object.fromEntries(fields.map((field) => [field, doubt])),
      picture: null,
    });
  }
  return { coupons, leftOut: [...told.leftOut] };
}
