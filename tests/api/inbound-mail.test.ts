import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Draft } from '#contract/coupons/drafts.ts';
import {
  type Delivery,
  mailgunDelivery,
  mailgunSignature,
  postmarkDelivery,
  rawMail,
  type SentMail,
  sendgridDelivery,
} from '#sandbox/inbound/deliveries.ts';
import type { Actor } from '#server/context/context.ts';
import { readWaitingMail } from '#server/coupons/drafts/reading.ts';
import { OUR_PAGE, setUpApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';

const SECRET = 'a secret of sixteen or more';
const DOMAIN = 'in.clipswap.example';
const PROVIDERS = ['postmark', 'mailgun', 'sendgrid'] as const;
type Provider = (typeof PROVIDERS)[number];

/** In bytes. */
const PIECE = 64 * 1024;
const TABLE = 'Merchant,Value,Code\nCorner Coffee,$4.50,LATTE-1';
const table = (content: string, filename = 'vouchers.csv') => ({
  filename,
  content,
  contentType: 'text/csv',
});
const VOUCHER = { from: 'news@corner.example', subject: 'Your voucher', attachments: [table(TABLE)] };

const setUp = (provider: Provider, given: Parameters<typeof setUpApp>[0] = {}) =>
  setUpApp({ ...given, config: { inboundMail: { provider, domain: DOMAIN, secret: SECRET } } });

async function addressOf(test: TestApp, who: Actor): Promise<string> {
  return (await test.call(who, { method: 'POST', url: '/api/mail-address' })).json().address;
}

const draftsOf = async (test: TestApp, who: Actor): Promise<Draft[]> =>
  (await test.call(who, { method: 'GET', url: '/api/coupon-drafts', headers: OUR_PAGE })).json();

/** As a body comes over a line. */
async function* piecesOf(body: Buffer) {
  for (let at = 0; at < body.length; at += PIECE) {
    yield body.subarray(at, at + PIECE);
    await setImmediate();
  }
}

async function deliver(test: TestApp, { path, headers, body }: Delivery, payload: Buffer | Readable = body) {
  const answer = await test.app.inject({
    method: 'POST',
    url: `/api/inbound-mail/${path}`,
    headers,
    payload,
  });
  return answer.statusCode;
}

/** How each provider delivers a mail. */
const DELIVERIES: Record<Provider, (mail: SentMail, secret?: string, at?: Date) => Promise<Delivery>> = {
  postmark: async (mail, secret = SECRET) => postmarkDelivery(mail, await rawMail(mail), secret),
  mailgun: async (mail, secret = SECRET, at = new Date('2035-06-15T12:00:00Z')) =>
    mailgunDelivery(mail, await rawMail(mail), mailgunSignature(secret, at)),
  sendgrid: async (mail, secret = SECRET) => sendgridDelivery(mail, await rawMail(mail), secret),
};

describe.each(PROVIDERS)('a mail that %s delivers', (provider) => {
  const test = setUp(provider);
  const delivery = DELIVERIES[provider];

  it('becomes a draft that only its owner sees, once, however often it is delivered', async () => {
    const [owner, stranger] = [await createUser(test.ctx), await createUser(test.ctx)];
    await addressOf(test, stranger);
    const mail = { ...VOUCHER, to: await addressOf(test, owner) };
    expect(mail.to).toMatch(/^[0-9a-f]{32}@in\.clipswap\.example$/);
    const messageId = `<${provider}@corner.example>`;
    expect(await deliver(test, await delivery({ ...mail, messageId }))).toBe(200);
    expect(await deliver(test, await delivery({ ...mail, messageId }))).toBe(200);
    await readWaitingMail(test.ctx);
    const [draft, ...more] = await draftsOf(test, owner);
    expect(more).toEqual([]);
    expect(draft).toMatchObject({ from: VOUCHER.from, subject: 'Your voucher', picture: null });
    expect(draft?.coupon).toMatchObject({ merchant: 'Corner Coffee', value: '4.50', code: 'LATTE-1' });
    expect(await draftsOf(test, stranger)).toEqual([]);
    const discard = { method: 'DELETE', url: `/api/coupon-drafts/${draft?.id}` } as const;
    expect((await test.call(stranger, discard)).statusCode).toBe(404);
    expect((await test.call(owner, discard)).statusCode).toBe(200);
    expect(await draftsOf(test, owner)).toEqual([]);
  });

  it('has the letters of its own charset', async () => {
    const owner = await createUser(test.ctx);
    const mail = { ...VOUCHER, to: await addressOf(test, owner), attachments: [] };
    const text =
      'Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\n15 % de rabais\nCode promo : NOËL-15-É';
    const raw = `From: a@b.example\nMIME-Version: 1.0\n${text}`.replaceAll('\n', '\r\n');
    // Postmark has made text of it.
    const delivered =
      provider === 'postmark'
        ? postmarkDelivery(mail, raw, SECRET)
        : provider === 'mailgun'
          ? await mailgunDelivery(
              mail,
              Buffer.from(raw, 'latin1'),
              mailgunSignature(SECRET, test.ctx.clock()),
            )
          : await sendgridDelivery(mail, Buffer.from(raw, 'latin1'), SECRET);
    expect(await deliver(test, delivered)).toBe(200);
    await readWaitingMail(test.ctx);
    expect((await draftsOf(test, owner)).map(({ coupon, doubts }) => [coupon.code, doubts.code])).toEqual([
      ['NOËL-15-É', undefined],
    ]);
  });

  it('is refused without the right proof, and at the address of another provider', async () => {
    const to = await addressOf(test, await createUser(test.ctx));
    const mail = { ...VOUCHER, to };
    const right = await delivery(mail);
    const noSignature = { ...mailgunSignature(SECRET, test.ctx.clock()), signature: '' };
    const unproved =
      provider === 'mailgun'
        ? await mailgunDelivery(mail, await rawMail(mail), noSignature)
        : { ...right, headers: { 'content-type': right.headers['content-type'] ?? '' } };
    expect(await deliver(test, unproved)).toBe(401);
    expect(await deliver(test, await delivery(mail, 'another secret of sixteen'))).toBe(401);
    const other = provider === 'postmark' ? 'sendgrid' : 'postmark';
    expect(await deliver(test, { ...right, path: other })).toBe(404);
    expect(await readWaitingMail(test.ctx)).toBe(0);
  });
});

describe('the signature of Mailgun', () => {
  const test = setUp('mailgun', { withLimits: true });

  it('serves once, also for another mail, and for ten minutes', async () => {
    const owner = await createUser(test.ctx);
    const mail = { ...VOUCHER, to: await addressOf(test, owner) };
    const now = test.ctx.clock();
    const signed = mailgunSignature(SECRET, now);
    expect(await deliver(test, await mailgunDelivery(mail, await rawMail(mail), signed))).toBe(200);
    const other = await rawMail({ ...mail, subject: 'Another' });
    expect(await deliver(test, await mailgunDelivery(mail, other, signed))).toBe(401);
    for (const seconds of [-601, 601]) {
      const at = new Date(now.getTime() + seconds * 1_000);
      expect(await deliver(test, await DELIVERIES.mailgun(mail, SECRET, at))).toBe(401);
    }
    expect(await readWaitingMail(test.ctx)).toBe(1);
  });

  it('comes before a large mail, of which nothing is read otherwise', async () => {
    const to = await addressOf(test, await createUser(test.ctx));
    const mail = { ...VOUCHER, to, attachments: [table('x'.repeat(300_000))] };
    const { timestamp, token, signature } = mailgunSignature(SECRET, test.ctx.clock());
    const first = await mailgunDelivery(mail, await rawMail(mail), { timestamp, token, signature });
    const boundary = first.headers['content-type']?.split('boundary=')[1] ?? '';
    const parts = String(first.body).split(`--${boundary}\r\n`);
    const last = {
      ...first,
      body: Buffer.from([parts[0], ...parts.slice(1).reverse()].join(`--${boundary}\r\n`)),
    };
    for (const [sent, status] of [
      [last, 401],
      [first, 200],
    ] as const)
      expect(await deliver(test, sent, Readable.from(piecesOf(sent.body)))).toBe(status);
  });

  it('does not open the door to more than 30 mails an hour for one person', async () => {
    const to = await addressOf(test, await createUser(test.ctx));
    const answers: number[] = [];
    for (let nth = 1; nth <= 31; nth += 1)
      answers.push(await deliver(test, await DELIVERIES.mailgun({ ...VOUCHER, to, subject: `Mail ${nth}` })));
    expect(answers).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
  });
});

describe('what is no voucher for anybody', () => {
  const test = setUp('postmark');
  const countMails = async () => (await test.ctx.db.selectFrom('inboundMails').selectAll().execute()).length;

  it('a mail to a wrong or ended address, or to somebody who is banned, is answered alike and not stored', async () => {
    const [moved, banned] = [await createUser(test.ctx), await createUser(test.ctx)];
    const old = await addressOf(test, moved);
    await addressOf(test, moved);
    const ofBanned = await addressOf(test, banned);
    await test.ctx.db.updateTable('users').set({ status: 'banned' }).where('id', '=', banned.id).execute();
    const right = (await addressOf(test, moved)).split('@')[0];
    const wrong = [`${'0'.repeat(32)}@${DOMAIN}`, old, ofBanned, `${right}@elsewhere.example`, 'nobody'];
    for (const to of wrong)
      expect(await deliver(test, await DELIVERIES.postmark({ ...VOUCHER, to }))).toBe(200);
    expect(await countMails()).toBe(0);
  });

  it('a mail that is too large is refused', async () => {
    const to = await addressOf(test, await createUser(test.ctx));
    const { headers, path, body } = await DELIVERIES.postmark({ ...VOUCHER, to });
    const padded = (bytes: number) => Buffer.concat([body, Buffer.alloc(bytes - body.length, ' ')]);
    expect(await deliver(test, { headers, path, body: padded(40 * 1024 * 1024 + 1) })).toBe(413);
    expect(await deliver(test, { headers, path, body: padded(20 * 1024 * 1024) })).toBe(200);
  });

  it('of a thousand files ten are read, and mails within mails within mails none', async () => {
    const owner = await createUser(test.ctx);
    const to = await addressOf(test, owner);
    const attachments = Array.from({ length: 1_000 }, (_, nth) => table(`Code\nBOMB-${nth}`, `${nth}.csv`));
    expect(await deliver(test, await DELIVERIES.postmark({ ...VOUCHER, to, attachments }))).toBe(200);
    let nested = 'Content-Type: text/plain\r\n\r\nCode: DEEP1';
    for (let nth = 1; nth <= 100; nth += 1)
      nested = `Content-Type: multipart/mixed; boundary="b${nth}"\r\n\r\n--b${nth}\r\n${nested}\r\n--b${nth}--`;
    const deep = postmarkDelivery(
      { ...VOUCHER, to },
      `From: a@b.example\r\nMIME-Version: 1.0\r\n${nested}`,
      SECRET,
    );
    expect(await deliver(test, deep)).toBe(200);
    await readWaitingMail(test.ctx);
    expect(await draftsOf(test, owner)).toHaveLength(10);
  });
});
