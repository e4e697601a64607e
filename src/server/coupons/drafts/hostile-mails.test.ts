import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { rawMail } from '#sandbox/inbound/deliveries.ts';
import { openInboundMail } from '#server/providers/inbound-mail/open-inbound-mail.ts';
import { openPictures } from '#server/readers/pictures/open-pictures.ts';
import { actingAs, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { noticesOf } from '#tests/support/exchanges.ts';
import { readWaitingMail } from './reading.ts';
import { receiveMail } from './receiving.ts';
import { renewMailAddress } from './service.ts';

const database = setUpDatabase();
const SECRET = 'a secret of sixteen or more';
const inboundMail = openInboundMail({ provider: 'postmark', domain: 'in.clipswap.example', secret: SECRET });
/** What takes longer is not read: the hostile mails below take many times as long, or next to nothing. */
const pictures = openPictures({ timeLimitMs: 1_000 });
let ctx: TestContext;

beforeAll(() => {
  ctx = createTestContext(database, { providers: { inboundMail, pictures } });
});
afterAll(() => pictures.close());

const HEAD = 'From: a@b.example\r\nSubject: Voucher\r\nMIME-Version: 1.0\r\n';
const plain = (text: string) => `${HEAD}Content-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`;
const html = (text: string) => `${HEAD}Content-Type: text/html; charset=utf-8\r\n\r\n${text}\r\n`;
const file = (content: string) =>
  rawMail({ from: 'a@b.example', subject: '', to: '', attachments: [{ filename: 'a.csv', content }] });

/** Mails of a member who wants to stop the market, each within the limits of one. */
const HOSTILE: readonly (readonly [string, () => string | Promise<string>])[] = [
  ['12,000 blanks behind a name of a header', () => plain(`from:${' '.repeat(12_000)}"a"b`)],
  ['50,000 dashes', () => plain('-'.repeat(50_000))],
  ['500 kB of HTML without end tags', () => html('<h1>'.repeat(125_000))],
  [
    '3 MB that flow, with their blanks deleted',
    () => plain('\r\n'.repeat(1_500_000)).replace('charset=utf-8', 'charset=utf-8; format=flowed; delsp=yes'),
  ],
  ['a table of one long line', () => file(`${'a'.repeat(59_000)}\n${'b'.repeat(59_000)}`)],
];

/** Receives and reads a mail. @returns how long our own process has worked on it, in milliseconds */
async function costOf(raw: string): Promise<{ ms: number; told: readonly string[] }> {
  const owner = await createUser(ctx);
  const { address } = await renewMailAddress(actingAs(ctx, owner));
  const authorization = `Basic ${Buffer.from(`clipswap:${SECRET}`).toString('base64')}`;
  const fields = { OriginalRecipient: address, RawEmail: raw };
  const before = process.cpuUsage();
  await receiveMail(ctx, { provider: 'postmark', authorization, read: async () => fields });
  for (;;) {
    await readWaitingMail(ctx);
    const told = (await noticesOf(ctx, owner)).map(({ content }) => content);
    if (told.length > 0) return { ms: process.cpuUsage(before).user / 1_000, told };
    ctx.clock.advanceDays(1 / 24);
  }
}

it.each(HOSTILE)(
  '%s cost our own process little more than a short mail, and its owner is told',
  async (_, make) => {
    const short = plain('Thank you for shopping with us.');
    // The first one prepares statements.
    await costOf(short);
    const raw = await make();
    // A busy machine makes one of them dear, and a coarse clock another one cheap: the middle one counts. Work of our own
    // makes all hostile ones dear.
    await vi.waitFor(
      async () => {
        const costs: number[] = [];
        for (let mail = 0; mail < 5; mail += 1) costs.push((await costOf(short)).ms);
        const hostile = await costOf(raw);
        expect(hostile.told).toHaveLength(1);
        const [, , middle = 0] = costs.toSorted((one, other) => one - other);
        expect(hostile.ms).toBeLessThan(20 * middle);
      },
      { timeout: 100_000, interval: 0 },
    );
  },
);

it('a mail past its owner’s limit is refused before it is read', async () => {
  const owner = await createUser(ctx);
  const { address } = await renewMailAddress(actingAs(ctx, owner));
  const openMail = vi.spyOn(pictures, 'openMail');
  const limited = { ...ctx, limiter: { ...ctx.limiter, consume: async () => 60 } };
  const authorization = `Basic ${Buffer.from(`clipswap:${SECRET}`).toString('base64')}`;
  const fields = { OriginalRecipient: address, RawEmail: plain('Code: LATE-1') };
  const delivery = { provider: 'postmark', authorization, read: async () => fields };
  await expect(receiveMail(limited, delivery)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(openMail).not.toHaveBeenCalled();
  openMail.mockRestore();
});
