import { expect, it } from 'vitest';
import { rawMail } from '#sandbox/inbound/deliveries.ts';
import { noticesOf } from '#tests/support/exchanges.ts';
import { setUpForwarding } from '#tests/support/forwarding.ts';
import { readWaitingMail } from './reading.ts';

const { ctx, owner, address, receive, draftsOf } = setUpForwarding();
const csv = (content: string) => ({ filename: 'vouchers.csv', content });

it('a mail of which a part was not read says so in its notice and with its drafts, and never that there is no coupon', async () => {
  const doc = { filename: 'letter.doc', content: 'x' };
  const winmail = { filename: 'winmail.dat', contentType: 'application/ms-tnef', content: 'x' };
  const broken = { filename: 'card.pdf', content: 'no document' };
  const found = await draftsOf({ attachments: [doc, csv('Code\nSEEN-1')] });
  expect(found.map(({ leftOut }) => leftOut)).toEqual([[{ what: 'file', name: 'letter.doc', why: 'type' }]]);
  await draftsOf({ attachments: [winmail] });
  await draftsOf({ attachments: [broken] });
  await receive({}, `From: a@b.example\r\n${'X: y\r\n'.repeat(90_000)}\r\nCode: LATE-1`);
  await readWaitingMail(ctx);
  expect((await noticesOf(ctx, owner)).map(({ content }) => content)).toEqual([
    '1 coupon from your email is ready. Look it over and list it. 1 file is of a type that we cannot read.',
    'We could not read all of the email you forwarded. The attachments are packed for Outlook alone. Send them as a normal email or as files. Add the coupon with a picture or type it.',
    'We could not read all of the email you forwarded. 1 file is damaged. Add the coupon with a picture or type it.',
    'We could not read all of the email you forwarded. We could not read the text of this email. Add the coupon with a picture or type it.',
  ]);
});

it('a mail with mails as files becomes the coupons of each, and of its own text where they have none', async () => {
  const inner = async (text: string, nth: number) => ({
    filename: `${nth}.eml`,
    contentType: 'message/rfc822',
    content: await rawMail({ ...address, from: 'a@b.example', subject: `Inner ${nth}`, text }),
  });
  const texts = ['20% off\nCode: INNER-A1', '$25 gift card\nCode: INNER-B2\nPIN: 4471'];
  const attachments = await Promise.all(texts.map(inner));
  const found = await draftsOf({ text: '50% off\nCode: OUTER-C3', attachments });
  expect(found.map(({ coupon, subject }) => [coupon.code, coupon.pin, subject])).toEqual([
    ['INNER-A1', '', 'Inner 0'],
    ['INNER-B2', '4471', 'Inner 1'],
  ]);
});
