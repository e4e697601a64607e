import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOfHtml } from './html-text.ts';
import { readMailText, type ToldCoupon, type ToldCoupons } from './mail-text.ts';
import { openMail } from './opening.ts';

const TODAY = '2026-11-28';
const FIXTURES = path.resolve(import.meta.dirname, '../../../../tests/fixtures/mails');

/** What is read of the words of a mail: of each text in the order in which they are read. */
async function toldBy(raw: string | Uint8Array): Promise<ToldCoupons> {
  const mail = await openMail(Buffer.from(raw));
  const read = (mail?.parts ?? [])
    .filter(({ kind }) => kind === 'text')
    .map((part) => readMailText(part, TODAY));
  return {
    coupons: read.flatMap(({ coupons }) => coupons),
    leftOut: [...(mail?.leftOut ?? []), ...read.flatMap(({ leftOut }) => leftOut)],
  };
}

const plain = (text: string, subject = 'Fwd: a treat') =>
  `From: Pat <pat@example.org>\r\nSubject: ${subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`;

const summaryOf = ({ code, pin, doubtful, print }: ToldCoupon) => ({
  ...{ code, pin, doubtful },
  worth: print.worth && `${print.worth.value.value} ${print.worth.value.discountType}`,
  day: print.hasNoExpiry ? 'never' : (print.expiryDate?.value ?? null),
});

const coupon = (code: string, worth: string | null, day: string | null, more: object = {}) => ({
  ...{ code, pin: '', doubtful: [], worth, day },
  ...more,
});

describe('a mail that was received', () => {
  it.each<[file: string, coupons: readonly object[]]>([
    ['a-latin1-8bit', [coupon('NOEL-15-É', '1500 percentage', '2026-12-31')]],
    ['d-empty-text', [coupon('HTMLONLY20', '2000 percentage', '2026-12-31')]],
    ['e-html-only', [coupon('HTML-20-ABC', '2000 percentage', '2026-12-31')]],
    [
      'g-two-forwarded',
      [
        coupon('FIRST-20-AAA', '2000 percentage', '2026-12-31'),
        coupon('SECOND-20-BBB', '2000 percentage', '2026-12-31'),
      ],
    ],
    ['j-winmail', []],
    ['k-german-fwd', [coupon('BROT-10-DE', '1478 fixed', '2026-12-31')]],
    [
      'm-two-codes',
      [
        coupon('GIFT-AAAA-1111', '2500 fixed', 'never', { pin: '4471' }),
        coupon('GIFT-BBBB-2222', '5000 fixed', 'never', { pin: '4472' }),
      ],
    ],
    ['q-csv-latin1', []],
    ['u-html-glue', [coupon('GLUE-20-ABC', '2000 percentage', '2026-12-31')]],
    ['x-two-cells-side', [coupon('6035 0012 3456 7890', '2500 fixed', '2026-12-31', { pin: '4471' })]],
    ['y-thousand-fr', [coupon('AZUR-1500-VX', '150000 fixed', '2026-12-31')]],
    ['z-zwsp', [coupon('ZWSP-20-ABC', '2000 percentage', '2026-12-31')]],
  ])('%s says what a person sees in it', async (file, coupons) => {
    const told = await toldBy(readFileSync(path.join(FIXTURES, `${file}.eml`)));
    expect(told.coupons.map(summaryOf)).toEqual(coupons);
  });

  it('names what of it cannot be read', async () => {
    const { leftOut } = await toldBy(readFileSync(path.join(FIXTURES, 'j-winmail.eml')));
    expect(leftOut).toEqual([{ what: 'file', name: 'winmail.dat', why: 'winmail' }]);
    const long = await toldBy(plain(`Code: LONG-1\n${'Thank you. '.repeat(6_000)}`));
    expect(long.leftOut).toEqual([{ what: 'text' }]);
    const many = await toldBy(plain(Array.from({ length: 25 }, (_, nth) => `Code: MANY-${nth}`).join('\n')));
    expect([many.coupons.length, many.leftOut]).toEqual([20, [{ what: 'codes', count: 5 }]]);
  });
});

describe('a code in a mail', () => {
  it.each<[text: string, code: string, isDoubtful: boolean]>([
    ['Use code SAVE-10-A at checkout', 'SAVE-10-A', false],
    ['Your code is “SAVE10A”.', 'SAVE10A', false],
    ['Your code:\n\nSAVE10A\n\nShop now', 'SAVE10A', false],
    ['Promo code (online only): SAVE10A', 'SAVE10A', false],
    ['Code: AB12 CD34 EF56', 'AB12 CD34 EF56', false],
    ['Gift card number: 6035-0012-3456-7890', '6035-0012-3456-7890', false],
    ['Code   |   SAVE10A', 'SAVE10A', false],
    ['*Code:* *SAVE10A*', 'SAVE10A', false],
    ['Your code is: 1234-5678-9012', '1234-5678-9012', false],
    ['Enter this code at the till:\nSAVE10A', 'SAVE10A', false],
    ['$5 off\nYour code: SAVE10A\nReference code: 998877', 'SAVE10A', false],
    ['Your code: ABCD\u2011EF12', 'ABCD-EF12', false],
    ['Code: spring20', 'spring20', true],
    // Cut off, or perhaps.
    ['Code: SUMMER-', 'SUMMER-', true],
    ['Enter promo code below:\nSUMMER-\n20-XYZ', 'SUMMER-', true],
    ['Code: SUMMER-20…', 'SUMMER-20', true],
    ['Code: SUMMER-20=\nAB', 'SUMMER-20', true],
    ['Code: SUMMER20 A1B2 at the till', 'SUMMER20', true],
    [
      `Thank you for shopping with us this year. Here is your code: SUMMER20\nAB12 and more`,
      'SUMMER20',
      true,
    ],
    // The label in other languages.
    ['Code promo : PROMO-15', 'PROMO-15', false],
    ['Votre code avantage est PROMO-15', 'PROMO-15', false],
    ['Numéro de carte-cadeau : 6035 0012 3456', '6035 0012 3456', false],
    ['Ihr Gutscheincode lautet PROMO-15', 'PROMO-15', false],
    ['Kartennummer: 6035 0012 3456', '6035 0012 3456', false],
    ['Código de descuento: PROMO-15', 'PROMO-15', false],
    ['Codice sconto: PROMO-15', 'PROMO-15', false],
    ['Kortingscode: PROMO-15', 'PROMO-15', false],
    ['Cupom: PROMO-15', 'PROMO-15', false],
    ['Kod rabatowy: PROMO-15', 'PROMO-15', false],
    // None.
    ['No code needed: $5 off', '', false],
    ['$5 off, use the QR code below', '', false],
    ['$5 off with this code at the till', '', false],
    ['$5 off. Your verification code is 123456', '', false],
    ['$5 off https://shop.example/?code=NOPE1', '', false],
    [
      '$5 off <https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fshop.example%2F%3Fcode%3DNOPE1>',
      '',
      false,
    ],
    ['$5 off. Card number: **** **** **** 1234', '', false],
    ['$5 off. Code: \uFFFDAVE10', '', false],
    ['$5 off. Code: Applied automatically', '', false],
  ])('%s', async (text, code, isDoubtful) => {
    const [one] = (await toldBy(plain(text))).coupons;
    expect([one?.code ?? '', one?.doubtful.includes('code') ?? false]).toEqual([code, isDoubtful]);
  });

  it.each([
    'PIN: 4471',
    'PIN code 4471',
    'Code PIN : 4471',
    'NIP : 4471',
    'Code de sécurité : 4471',
    'Sicherheitscode: 4471',
    'Código de seguridad: 4471',
    'Codice di sicurezza: 4471',
    'Beveiligingscode: 4471',
    'Kod PIN: 4471',
    'PIN\n4471',
  ])('has its PIN beside it, and neither in a text for everybody: %s', async (text) => {
    const [one, more] = (
      await toldBy(plain(`$25 gift card, PIN 4471 must be shown\nCode: GIFT-AAAA-1111\n${text}`))
    ).coupons;
    expect([one?.code, one?.pin, more]).toEqual(['GIFT-AAAA-1111', '4471', undefined]);
    expect(JSON.stringify(one?.print)).not.toMatch(/4471|AAAA/);
  });
});

describe('several codes in a mail', () => {
  it('have the facts that stand with each of them', async () => {
    const rows = 'Item\tCode\tPIN\tValue\nCard A\tAAAA-1111\t4471\t$25.00\nCard B\tBBBB-2222\t4472\t$50.00';
    expect((await toldBy(plain(rows))).coupons.map(summaryOf)).toEqual([
      coupon('AAAA-1111', '2500 fixed', null, { pin: '4471' }),
      coupon('BBBB-2222', '5000 fixed', null, { pin: '4472' }),
    ]);
  });

  it('have a doubt, or no fact, where it is not plain whose it is', async () => {
    const { coupons } = await toldBy(
      plain('20% off\nCode: AAAA-1111\nCode: BBBB-2222\nValid until 2026-12-31\nPIN: 4471'),
    );
    expect(coupons.map(({ print }) => [print.worth?.isDoubtful, print.expiryDate?.isDoubtful])).toEqual([
      [true, true],
      [true, true],
    ]);
    expect(coupons.map(({ doubtful }) => doubtful)).toEqual([['pin'], ['pin']]);
    const inOneLine = await toldBy(plain('Use code AAAA1 for 10% off $50 or BBBB2 for 20% off $100'));
    expect(inOneLine.coupons.map(({ code, print }) => [code, print.worth])).toEqual([
      ['AAAA1', null],
      ['BBBB2', null],
    ]);
    const mixed = await toldBy(
      plain('10% off or 20% off\n30% off\nCode: AAAA-1111\nCode: BBBB-2222\n40% off\n50% off'),
    );
    expect(mixed.coupons.map(({ print }) => print.worth)).toEqual([null, null]);
  });
});

it.each([
  ['-----Original Message-----\nFrom: Shear Joy <news@shear.example>\nSent: Tuesday\nSubject: 5% off'],
  ['Begin forwarded message:\n\n> From: Shear Joy <news@shear.example>\n> Date: 1 January 2027\n> To: Pat'],
  [
    '-------- Message transféré --------\nDe : Shear Joy <news@shear.example>\nObjet : x\nDate : 1 janvier 2027',
  ],
  [
    '-----Ursprüngliche Nachricht-----\nVon: Shear Joy <news@shear.example>\nGesendet: Dienstag, 1. Januar 2027\nBetreff: x',
  ],
  [
    '---------- Mensaje reenviado ---------\nDe: Shear Joy <news@shear.example>\nFecha: 1/1/2027\nAsunto: x\nPara: y',
  ],
  ['Inizio messaggio inoltrato:\n\nDa: Shear Joy <news@shear.example>\nOggetto: x\nData: 1 gennaio 2027'],
  [
    '-----Doorgestuurd bericht-----\nVan: Shear Joy <news@shear.example>\nVerzonden: 1 januari 2027\nOnderwerp: x',
  ],
  [
    '---------- Mensagem encaminhada ---------\nDe: Shear Joy <news@shear.example>\nData: 1/1/2027\nAssunto: x',
  ],
  ['Przekazana wiadomość\nOd: Shear Joy <news@shear.example>\nData: 1.1.2027\nTemat: x'],
  ['On Tue, Jan 1, 2027 at 10:00 AM Pat <pat@example.org>\nwrote:\n\n> From: Shear Joy <news@shear.example>'],
])('of a mail that was handed on, the shop is who wrote it first: %s', async (head) => {
  const [one] = (await toldBy(plain(`FYI\n\n${head}\n\n10% off\nCode: SHEAR-10`))).coupons;
  expect(one && summaryOf(one)).toEqual(coupon('SHEAR-10', '1000 percentage', null));
  expect(one?.print.names[0]).toBe('Shear Joy');
});

describe('a page', () => {
  it.each([
    ['rows of one cell', '<table><tr><td>A</td></tr><tr><td>B</td></tr></table>', 'A\nB'],
    ['cells side by side', '<table><tr><td>PIN</td><td> <b>4471</b> </td></tr></table>', 'PIN\t4471'],
    [
      'cells with lines of their own',
      '<table><tr><td><p>A</p><p>B</p></td><td>C</td></tr></table>',
      'A\n\nB\n\nC',
    ],
    [
      'tables in cells',
      '<table><tr><td><table><tr><td>A</td><td>B</td></tr></table></td></tr></table>',
      'A\tB',
    ],
    ['blocks and breaks', 'A<div>B<br>C</div>D<p>E</p>', 'A\nB\nC\nD\n\nE'],
    ['entities', 'A&nbsp;&amp;&zwnj;&#8203;B', 'A &\u200c\u200bB'],
  ])('%s', (_, html, text) => {
    expect(textOfHtml(html)).toBe(text);
  });

  it.each([
    '<p style="Display : none">X</p>',
    '<div style="color:red;display:none!important"><p>X</p></div>',
    '<p style="visibility:hidden">X</p>',
    '<p style="max-height:0;overflow:hidden">X</p>',
    '<p style="opacity:0">X</p>',
    '<p hidden>X</p>',
    '<style>.pre, .a { color: red; display: none }</style><p class="b pre">X</p>',
    '<title>X</title><style>X</style><script>X</script>',
    '<!-- X --><!--[if mso]>X<![endif]-->',
  ])('leaves out what nobody sees: %s', (hidden) => {
    expect(textOfHtml(`<p>A</p>${hidden}<p>B</p>`)).toBe('A\n\nB');
  });

  it.each([
    '<p style="max-height:0.5em;opacity:0.9">X</p>',
    '<style>@media (max-width: 600px) { .pre { display: none } }</style><p class="pre">X</p>',
  ])('has what is seen: %s', (shown) => {
    expect(textOfHtml(shown)).toBe('X');
  });
});
