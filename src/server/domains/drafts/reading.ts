import { DRAFT_DAYS } from '#contract/drafts.ts';
import { PAGES_MAX } from '#contract/images.ts';
import { paths } from '#contract/pages.ts';
import { couponOfFacts, couponsOfPicture, FIRST_KIND, type ReadCoupon } from '#contract/read-coupons.ts';
import { addDays, addHours, utcDay } from '#server/core/clock.ts';
import { inTransaction } from '#server/database/client.ts';
import type { MailPart } from '#server/providers/mails/parts.ts';
import {
  type PictureProblem,
  PictureRefusal,
  type ReadPicture,
} from '#server/providers/pictures/pictures.ts';
import { inLanguageOf } from '../accounts/languages.ts';
import type { Context } from '../context.ts';
import { factsOf, readPrint } from '../images/facts.ts';
import { discardUploads, keepUploads, storeImage } from '../images/service.ts';
import { imageIdOf, imageUrl } from '../images/view.ts';
import { notify } from '../notifications/service.ts';
import { MAILED_TEXTS } from '../notifications/texts/coupons.ts';
import * as store from './store.ts';
import { openPart, sealDraft } from './view.ts';

/** How long one process may take for one part, and how long a mail waits after a failure. */
const [LEASE_HOURS, RETRY_HOURS] = [1 / 6, 1 / 60];
/** A part that cannot be read after so many attempts at its mail is left out. */
const TRIES = 3;

/** A later attempt may succeed. */
const MAY_PASS: ReadonlySet<PictureProblem> = new Set(['busy', 'too_slow', 'interrupted']);

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
  if (mail.attempts > TRIES + 1) await inTransaction(ctx.db, (trx) => store.deletePartsOf(trx, mail.id));
  for (;;) {
    if (signal?.aborted) {
      await store.giveBack(ctx.db, mail.id, ctx.clock());
      return false;
    }
    const row = await store.firstPart(ctx.db, mail.id);
    if (!row) break;
    const part = openPart(ctx.vault, mail.id, row.sealed);
    const coupons = await inLanguageOf(ctx.db, mail.userId, () => couponsOf(ctx, mail, part));
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

/** Tells the person what became of the mail, once. */
async function finish(ctx: Context, { id, userId }: Taken): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    if (!(await store.lockMail(trx, id, null))) return false;
    const count = await store.countDraftsOfMail(trx, id);
    await notify(trx, {
      userId,
      type: 'other',
      content: count > 0 ? MAILED_TEXTS.found({ count }) : MAILED_TEXTS.none(),
      relatedId: null,
      link: paths.addMany,
      mailSubject: MAILED_TEXTS.subject(),
      at: ctx.clock(),
    });
    return true;
  });
}

/** The coupons in a part of a mail; none where it cannot be read. @throws PictureRefusal where it may be read later */
async function couponsOf(ctx: Context, mail: Taken, part: MailPart): Promise<ReadCoupon[]> {
  try {
    switch (part.kind) {
      case 'picture':
      case 'document':
        return await couponsOfFile(ctx, mail, part);
      case 'csv':
      case 'workbook':
        return await couponsOfTable(ctx, part.kind, part);
      case 'text':
        return (await store.countDraftsOfMail(ctx.db, mail.id)) > 0 ? [] : await couponsOfText(ctx, part);
    }
  } catch (error) {
    const isFinal = error instanceof PictureRefusal && !MAY_PASS.has(error.problem);
    if (mail.attempts < TRIES && !isFinal) throw error;
    ctx.log.warn({ err: error, mail: mail.id }, 'a part of a mail could not be read');
    return [];
  }
}

const bytesOf = ({ content }: MailPart) => Buffer.from(content, 'base64');

/** Those of a picture, a wallet pass or a PDF, as its pages are read on the page for many coupons. */
async function couponsOfFile(ctx: Context, { userId }: Taken, part: MailPart): Promise<ReadCoupon[]> {
  const pages = await pagesOf(ctx, part);
  const withCodes = pages.filter(({ codes }) => codes.length > 0);
  const found: ReadCoupon[] = [];
  // What stands within the text and has no code may be a logo.
  for (const page of withCodes.length > 0 || part.isInline ? withCodes : pages.slice(0, 1)) {
    const isOne = page.codes.length <= 1;
    const facts =
      page.facts ?? (isOne ? await factsOf(ctx, await readPrint(ctx, page.bytes, page.codes)) : undefined);
    // A picture of several codes belongs to none of their coupons.
    const url = isOne ? imageUrl(await storeImage(ctx, FIRST_KIND, page, userId)) : '';
    found.push(...couponsOfPicture({ url, codes: page.codes, facts }));
  }
  return found;
}

async function pagesOf({ providers: { pictures } }: Context, part: MailPart): Promise<ReadPicture[]> {
  const bytes = bytesOf(part);
  if (part.kind === 'picture') return [await pictures.read(bytes)];
  const pages: ReadPicture[] = [];
  for (let page = 1, count = 1; page <= Math.min(count, PAGES_MAX); page += 1) {
    const read = await pictures.read(bytes, page);
    count = read.pages ?? 1;
    pages.push(read);
  }
  return pages;
}

async function couponsOfTable(
  { providers }: Context,
  kind: 'csv' | 'workbook',
  part: MailPart,
): Promise<ReadCoupon[]> {
  const { rows } = await providers.pictures.readTableFile(kind, bytesOf(part));
  return rows.map(({ coupon, doubts }) => ({ coupon, doubts, picture: null }));
}

/** The coupon that a mail describes in words; none where it names neither a code nor a value. */
async function couponsOfText(ctx: Context, part: MailPart): Promise<ReadCoupon[]> {
  const { code, print } = await ctx.providers.pictures.readMailText(part, utcDay(ctx.clock()));
  const facts = await factsOf(ctx, print);
  if (code === '' && facts.worth === null) return [];
  const { coupon, doubts } = couponOfFacts(facts);
  return [{ coupon: { ...coupon, code }, doubts, picture: null }];
}
