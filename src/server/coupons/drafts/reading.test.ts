import { describe, expect, it } from 'vitest';
import { createCouponInputSchema } from '#contract/coupons/coupons.ts';
import { rawMail } from '#sandbox/inbound/deliveries.ts';
import { cleanUpImages, readImage } from '#server/coupons/images/images.ts';
import { createCoupon } from '#server/coupons/publishing/service.ts';
import { inTransaction } from '#server/database/client.ts';
import { PictureRefusal } from '#server/readers/pictures/pictures.ts';
import { CODES, drawFixture, SECOND_CODE } from '#tests/fixtures/codes.ts';
import { pdf, pdfImage } from '#tests/fixtures/documents.ts';
import { walletPass } from '#tests/fixtures/passes.ts';
import {
  drawCoupon,
  PRINTED_COUPONS,
  PRINTED_ON,
  type PrintedCoupon,
} from '#tests/fixtures/printed-coupons.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { noticesOf } from '#tests/support/exchanges.ts';
import { setUpForwarding } from '#tests/support/forwarding.ts';
import { plainPicture } from '#tests/support/pictures.ts';
import { aWorkbook } from '#tests/support/workbooks.ts';
import { readWaitingMail } from './reading.ts';
import { discardDraft, forgetDrafts, lapseDrafts } from './service.ts';

const { ctx, owner, address, receive, drafts, draftsOf } = setUpForwarding(
  new Date(`${PRINTED_ON}T12:00:00Z`),
);
const csv = (content: string) => ({ filename: 'vouchers.csv', content });
const COUPON = PRINTED_COUPONS[0] as PrintedCoupon;
const photo = async () => ({ filename: 'IMG_1.png', content: await drawCoupon(COUPON, 4) });

describe('a mail', () => {
  it('with a photographed coupon becomes its draft, whose picture stays until it is listed', async () => {
    const me = actingAs(ctx, owner);
    const [draft] = await draftsOf({ attachments: [await photo()] });
    expect(draft?.coupon.code).toBe(COUPON.code.text);
    expect(draft && `${Math.round(Number(draft.coupon.value) * 100)} ${draft.coupon.discountType}`).toBe(
      COUPON.worth,
    );
    const id = draft?.picture?.url.replace('/api/images/', '') ?? '';
    const stranger = actingAs(ctx, await createUser(ctx));
    await expect(readImage(stranger, id)).rejects.toMatchObject({ code: 'not_found' });

    ctx.clock.advanceDays(3);
    await cleanUpImages(ctx);
    expect((await readImage(me, id)).contentType).toMatch(/^image\//);
    const coupon = await createCoupon(me, {
      ...NEW_COUPON,
      ...(draft?.picture?.kind === 'qrcode'
        ? { qrCodeUrl: draft.picture.url }
        : { barcodeUrl: draft?.picture?.url ?? null }),
      draftId: draft?.id,
    });
    expect(coupon.isActive).toBe(true);
    expect(await drafts()).toEqual([]);
    await expect(readImage(me, id)).rejects.toMatchObject({ code: 'not_found' });
    const { couponId } = await ctx.db
      .selectFrom('images')
      .select('couponId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(couponId).toBe(coupon.id);
  });

  it('with several files becomes as many: tables, passes, pages of PDFs', async () => {
    const pages = await Promise.all(
      [CODES[0], SECOND_CODE].map(async (code) => pdfImage(await drawFixture(code ?? SECOND_CODE))),
    );
    const page =
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /X 7 0 R >> >> >>';
    const found = await draftsOf({
      attachments: [
        csv('Merchant,Code\nCorner Coffee,FROM-CSV'),
        {
          filename: 'book.xlsx',
          content: Buffer.from(
            aWorkbook([
              ['Merchant', 'Code'],
              ['Corner Coffee', 'FROM-XLSX'],
            ]),
          ),
        },
        { filename: 'pass.pkpass', content: walletPass() },
        {
          filename: 'two.pdf',
          content: pdf({ pages: '8 0 R 3 0 R', count: 2, more: [pages[0] ?? '', page] }),
        },
        { filename: 'letter.doc', content: 'Code: NOT-READ' },
        { filename: 'broken.png', content: 'no picture' },
      ],
    });
    const codes = found.map(({ coupon }) => coupon.code);
    expect(codes).toEqual(expect.arrayContaining(['FROM-CSV', 'FROM-XLSX']));
    expect(codes.length).toBeGreaterThanOrEqual(4);
    expect(codes).not.toContain('NOT-READ');
  });

  it('is read as text where no file has a coupon, as one that was forwarded, too', async () => {
    const logo = { filename: 'logo.png', content: await plainPicture(80, 40), cid: 'logo' };
    const html = `<style>p { color: red }</style><img src="cid:logo">
      <p>---------- Forwarded message ---------<br>From: Shear Joy &lt;news@shear.example&gt;<br>Subject: For you</p>
      <table><tr><td><h1>20% off any haircut</h1></td></tr><tr><td>Your code: SHEAR-20X</td></tr>
      <tr><td>Valid until 2027-03-31</td></tr></table>`;
    const found = await draftsOf({ html, attachments: [logo] });
    expect(found).toHaveLength(1);
    expect(found[0]?.coupon).toMatchObject({
      ...{ merchant: 'Shear Joy', value: '20.00', discountType: 'percentage' },
      ...{ code: 'SHEAR-20X', expiryDate: '2027-03-31' },
    });
    expect(found[0]).toMatchObject({ from: 'Corner Coffee', picture: null });
  });

  it('that was forwarded as a file is read like one within the text', async () => {
    const content = await rawMail({
      ...address,
      from: 'a@b.example',
      subject: 'Inner',
      attachments: [csv('Code\nINNER-1')],
    });
    const file = { filename: 'mail.eml', contentType: 'message/rfc822', content };
    const raw = await rawMail({ ...address, from: 'a@b.example', subject: 'Outer', attachments: [file] });
    await receive({}, raw.replace('Content-Disposition: inline', 'Content-Disposition: attachment'));
    await readWaitingMail(ctx);
    const [draft] = await drafts();
    expect(draft).toMatchObject({ coupon: { code: 'INNER-1' }, subject: 'Inner' });
  });

  it('tells its owner once what became of it, and neither what it says nor a code', async () => {
    await draftsOf({ attachments: [csv('Code\nHUSH-1'), csv('Code\nHUSH-2')] });
    await draftsOf({ text: 'Hello, how are you?' });
    expect((await noticesOf(ctx, owner)).map(({ content }) => content)).toEqual([
      '2 coupons from your email are ready. Look them over and list them.',
      'We found no coupon in the email you forwarded. Add it with a picture or type it.',
    ]);
  });
});

describe('reading that is interrupted', () => {
  it('goes on where it was: nothing becomes two drafts, and nothing is lost', async () => {
    await receive({ attachments: [csv('Code\nFIRST-1'), await photo()] });
    const { pictures } = ctx.providers;
    const failing = { ...pictures, read: async () => Promise.reject(new PictureRefusal('interrupted')) };
    await readWaitingMail({ ...ctx, providers: { ...ctx.providers, pictures: failing } });
    expect((await drafts()).map(({ coupon }) => coupon.code)).toEqual(['FIRST-1']);
    expect(await readWaitingMail(ctx)).toBe(0);
    ctx.clock.advanceDays(1 / 24);
    // Two processes at once.
    const read = await Promise.all([readWaitingMail(ctx), readWaitingMail(ctx)]);
    expect(read.toSorted()).toEqual([0, 1]);
    expect((await drafts()).map(({ coupon }) => coupon.code)).toEqual(['FIRST-1', COUPON.code.text]);
    expect(await noticesOf(ctx, owner)).toHaveLength(1);
  });

  it('by a process that died is taken up when its time is over, even while that process lives on', async () => {
    await receive({ attachments: [await photo()] });
    const { pictures } = ctx.providers;
    let goOn = () => {};
    const waits = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let began = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const slow: typeof pictures.read = async (...given) => {
      began();
      await waits;
      return pictures.read(...given);
    };
    const first = readWaitingMail({
      ...ctx,
      providers: { ...ctx.providers, pictures: { ...pictures, read: slow } },
    });
    await hasBegun;
    expect(await readWaitingMail(ctx)).toBe(0);
    ctx.clock.advanceDays(1);
    expect(await readWaitingMail(ctx)).toBe(1);
    goOn();
    await first;
    expect(await drafts()).toHaveLength(1);
    expect(await noticesOf(ctx, owner)).toHaveLength(1);
  });

  it('by the end of a run is no attempt: a mail of many files is read in many runs', async () => {
    await receive({ attachments: Array.from({ length: 6 }, (_, nth) => csv(`Code\nFILE-${nth}`)) });
    for (let nth = 1; nth <= 7; nth += 1) {
      const run = new AbortController();
      // The run ends while the first part is being read.
      const open: typeof ctx.vault.open = (...given) => {
        run.abort();
        return ctx.vault.open(...given);
      };
      await readWaitingMail({ ...ctx, vault: { ...ctx.vault, open } }, run.signal);
    }
    expect(await drafts()).toHaveLength(6);
    expect(await noticesOf(ctx, owner)).toHaveLength(1);
  });

  it('ends after some attempts', async () => {
    await receive({ attachments: [await photo()], text: 'Code: TEXT-99' });
    const failing = {
      ...ctx.providers.pictures,
      read: async () => Promise.reject(new PictureRefusal('too_slow')),
    };
    for (let nth = 1; nth <= 3; nth += 1) {
      await readWaitingMail({ ...ctx, providers: { ...ctx.providers, pictures: failing } });
      ctx.clock.advanceDays(1 / 24);
    }
    expect((await drafts()).map(({ coupon }) => coupon.code)).toEqual(['TEXT-99']);
  });
});

describe('drafts', () => {
  const rows = (count: number, name: string) =>
    csv(['Code', ...Array.from({ length: count }, (_, nth) => `${name}-${nth}`)].join('\n'));

  it('are at most 100 for a person: more are left out until some are gone', async () => {
    expect(await draftsOf({ attachments: [rows(60, 'ONE'), rows(60, 'TWO')] })).toHaveLength(100);
    const [oldest] = await drafts();
    await discardDraft(actingAs(ctx, owner), oldest?.id ?? 0);
    expect(await draftsOf({ attachments: [rows(3, 'THREE')] })).toHaveLength(100);
  });

  it('and their mails go after 30 days, and with the account', async () => {
    const left = async () => {
      const counts = await Promise.all(
        (['couponDrafts', 'inboundMails'] as const).map((table) =>
          ctx.db.selectFrom(table).select('id').where('userId', '=', owner.id).execute(),
        ),
      );
      return counts.map(({ length }) => length);
    };
    await draftsOf({ attachments: [rows(1, 'OLD')] });
    ctx.clock.advanceDays(20);
    await receive({ attachments: [rows(1, 'YOUNG')] });
    ctx.clock.advanceDays(11);
    await lapseDrafts(ctx);
    expect(await left()).toEqual([0, 1]);
    await readWaitingMail(ctx);
    expect(await left()).toEqual([1, 1]);
    await inTransaction(ctx.db, (trx) => forgetDrafts(trx, owner.id));
    expect(await left()).toEqual([0, 0]);
  });

  it('are stored without anything that can be read', async () => {
    await draftsOf({ subject: 'HUSH-SUBJECT', attachments: [csv('Code\nHUSH-CODE')] });
    await receive({ subject: 'HUSH-SUBJECT', attachments: [csv('Code\nHUSH-WAITS')] });
    const stored = await ctx.db
      .selectFrom('couponDrafts')
      .selectAll()
      .where('userId', '=', owner.id)
      .execute();
    const parts = await ctx.db.selectFrom('inboundMailParts').selectAll().execute();
    for (const { sealed } of [...stored, ...parts])
      expect(sealed.toString('latin1')).not.toMatch(/HUSH|corner/i);
  });
});

const NEW_COUPON = createCouponInputSchema.parse({
  title: 'A fifth off',
  description: 'Valid at every branch.',
  value: 2_000,
  discountType: 'percentage',
  merchant: COUPON.merchant,
  category: 'retail',
  hasNoExpiry: true,
});
