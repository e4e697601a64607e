import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCode } from './codes.ts';
import { isNoCode } from './no-code.ts';

const read = (...given: string[]) => {
  const reading = readCode(given, []);
  return 'code' in reading ? reading.code : reading.problem;
};

describe('what is plainly a code', () => {
  it.each([
    'NOVEMBER10',
    'NONEXTRA',
    'SALE',
    'NO-LIMIT',
    '#USETHESPRAY',
    '00123',
    'NOTEBOOK',
    'AUTO15',
    '20',
    'A&B10',
    'I<3U',
    'SUMMER 20',
    '1234 5678 9012 3456',
    'AB12-CD34_EF56',
    'welcome10',
    'ÄPFEL5',
    'ЛЕТО25',
    'A&REG10',
    'DEAL10',
    'WELCOME',
    'FREESHIP',
    '$AVE20',
    '9007199254740993',
  ])('%s', (code) => {
    expect(read(code)).toBe(code);
  });

  it.each([
    ['="0042"', '0042'],
    ['= "0042"', '0042'],
    ["'0042", '0042'],
    ['"SAVE10"', 'SAVE10'],
    ['“SAVE10”', 'SAVE10'],
    [' save\u200b10\ufeff ', 'save10'],
    ['SAVE\u00ad10', 'SAVE10'],
    ['\u202eSAVE10\u202c', 'SAVE10'],
    ['SUMMER\u00a020', 'SUMMER 20'],
    ['<b>SAVE10</b>', 'SAVE10'],
    ['I&amp;amp;lt;3U', 'I<3U'],
    ['Use code: FALL25', 'FALL25'],
    ['Use code FALL25 at checkout', 'FALL25'],
    ['Use code: fall25', 'fall25'],
    ['Enter promo code: FALL25!', 'FALL25'],
    ['Gutscheincode: HERBST25', 'HERBST25'],
    ['Mit dem Code HERBST25', 'HERBST25'],
    ['Code promo : AUTOMNE25', 'AUTOMNE25'],
    ['Código: OTOÑO25'.normalize(), 'OTOÑO25'],
    ['Codice sconto AUTUNNO25', 'AUTUNNO25'],
    ['Gebruik code: HERFST25', 'HERFST25'],
    ['Kod rabatowy: JESIEN25', 'JESIEN25'],
  ])('is taken out of %j', (given, code) => {
    expect(read(given)).toBe(code);
  });
});

describe('what is not plainly a code is none', () => {
  it.each([
    ...[
      'N/A',
      'n/a',
      'none',
      'None',
      '-',
      '',
      '  ',
      'TBD',
      'true',
      '***',
      '*****',
      'XXXX',
      'SAVE…',
      'SAVE***',
    ],
    ...[
      'No code needed',
      'no coupon code required',
      'Code not required',
      'Not required',
      'No Code',
      'NO-CODE',
    ],
    ...[
      'NOCODE',
      'no_code_needed',
      'NO CODE REQUIRED',
      'Deal',
      'DEAL',
      'Offer',
      'See site',
      'Click to activate',
    ],
    ...[
      'Automatically applied',
      'Discount auto-applied at checkout',
      'Unique code via e-mail',
      '#N/A',
      '#NAME?',
    ],
    ...[
      'Kein Code erforderlich',
      'KEIN CODE NÖTIG',
      'Nicht nötig',
      'Ohne Gutscheincode',
      'Keiner',
      'Angebot',
    ],
    ...['Aucun code nécessaire', 'Aucun', 'Pas de code', 'SANS CODE', 'Offre'],
    ...['No se necesita código', 'Ninguno', 'Sin código', 'Oferta'],
    ...['Nessun codice', 'Nessun codice richiesto', 'Senza codice', 'NON-NECESSARIO', 'Offerta'],
    ...['Geen code nodig', 'geen', 'Niet nodig', 'ZONDER CODE', 'Aanbieding'],
    ...['Bez kodu', 'Kod nie jest wymagany', 'Brak', 'Niewymagany', 'brak kodu'],
    ...['Sem código', 'Não é necessário código', 'Nenhum', 'NÃO PRECISA'],
    ...['Ingen kod behövs', 'Ingen', 'Ingen kode kræves', '不要', 'クーポン不要'],
    ...[
      '20 OFF',
      '20% off',
      '10%',
      '$10',
      '10 €',
      '€ 5,00',
      '4.2002E+16',
      '420017.0',
      '2026-12-31',
      '{{code}}',
    ],
    ...['summer sale', 'GIFT CARD', 'Code: none', '=HYPERLINK("x")', '0'],
  ])('%s', (given) => {
    expect(read(given)).toBe('It has no code');
  });

  it.each([
    'https://shop.example/promo?x=1',
    'www.shop.example',
    'shop.example/promo',
    'deals.shop.com',
    'help@shop.example',
    'Visit www.shop.example',
  ])('a web address: %s', (given) => {
    expect(read(given)).toBe('It has a web address in place of a code');
  });

  it.each([
    'SAVE10 or SAVE20',
    'SAVE10, SAVE20',
    'SAVE10/SAVE20',
    'SAVE10 | SAVE20',
    'SAVE10;SAVE20',
    'SAVE10 SAVE20',
    'SAVE10<br>SAVE20',
    'SAVE10+SAVE20',
    'Use code: SAVE10 or SAVE20',
    'SAVE10 ODER SAVE20',
  ])('several: %s', (given) => {
    expect(read(given)).toBe('It has several codes');
  });

  it('several values of one field', () => {
    expect(read('SAVE10', 'SAVE20')).toBe('It has several codes');
    expect(read('SAVE10', ' SAVE10 ')).toBe('SAVE10');
  });

  it('a text that names two codes', () => {
    expect(readCode([], ['Use code SAVE10 or SAVE20'])).toEqual({ problem: 'It has no code' });
    expect(readCode([], ['Use code SAVE10 and get 20% off'])).toEqual({ code: 'SAVE10' });
  });
});

it('no code has invisible characters or outer white space, whatever the field says', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'SAVE',
      '10',
      ' ',
      '\u200b',
      '\ufeff',
      '\u00a0',
      '&#8203;',
      '&amp;shy;',
      '"',
      "'",
      '=',
      '-',
      '/',
    ),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const reading = readCode([pieces.join('')], []);
      if (!('code' in reading)) return;
      expect(reading.code).not.toMatch(/[\p{Cf}\p{Cc}]|^\s|\s$/u);
      expect(readCode([reading.code], [])).toEqual(reading);
    }),
  );
});

it.each([
  ...[
    'GETDEAL',
    'SHOPNOW',
    'REVEAL',
    'AppliedAtCheckout',
    'SEE SITE',
    'BUYNOW',
    'CLICKHERE',
    'ViewOffer',
    'SHOWCODE',
  ],
  ...[
    'AUTO-APPLIED',
    'IN-STORE',
    'Copy code',
    'UNLOCKDEAL',
    'VOIRLOFFRE',
    'Afficher le code',
    'ZUMANGEBOT',
    'ZUMSHOP',
  ],
  ...['CODEANZEIGEN', 'VEROFERTA', 'MOSTRACODICE', 'BEKIJKDEAL', 'ZOBACZKOD', 'VISA KODEN'],
])('words of pages of shops are no code: %s', (words) => {
  expect(isNoCode(words)).toBe(true);
});

it.each([
  ...[
    'SAVE10',
    'WELCOME',
    'SUMMER',
    'FREESHIP',
    'BLACKFRIDAY',
    'SAVENOW',
    'HELLO',
    'THANKYOU',
    'NEWYEAR',
    'BIENVENUE',
  ],
  ...[
    'VERANO',
    'SOMMER',
    'GETFIT',
    'SHOPSMALL',
    'GOGREEN',
    'VIP',
    'STUDENT',
    'GETDEAL5',
    'MYDEAL',
    'FLASH',
    'NONNA',
  ],
])('words of offers, and what has a digit, may be a code: %s', (code) => {
  expect(isNoCode(code)).toBe(false);
});

it('the words of a long text are found in its one pass', () => {
  for (const words of ['codepromocode', 'wymagana', 'sitena']) {
    expect(isNoCode(words.repeat(2_000))).toBe(true);
    expect(isNoCode(`${words.repeat(2_000)}x`)).toBe(false);
  }
});
