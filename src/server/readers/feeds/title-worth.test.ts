import { describe, expect, it } from 'vitest';
import type { Currency } from '#contract/base/money.ts';
import { readTitleWorth } from './title-worth.ts';

const worth = (title: string, fallback: Currency | null = null) => {
  const read = readTitleWorth(title, fallback);
  return read && `${read.value} ${read.discountType}`;
};

describe('the value in a title', () => {
  it.each([
    ['15% off garden chairs', '1500 percentage'],
    ['Get 12.5 % on all lamps', '1250 percentage'],
    ['Students save 20 percent', '2000 percentage'],
    ['Extra 10% discount on sale items', '1000 percentage'],
    ['Save an extra 5%', '500 percentage'],
    ['15% extra off', '1500 percentage'],
    ['-30% sur les manteaux', '3000 percentage'],
    ['7,5 % Rabatt auf Bettwäsche', '750 percentage'],
    ['20% auf Regenjacken', '2000 percentage'],
    ['15 % Neukundenrabatt', '1500 percentage'],
    ['10 % de réduction pour votre jardin', '1000 percentage'],
    ['15 % de rabais sur tout', '1500 percentage'],
    ['25% de descuento en zapatillas', '2500 percentage'],
    ['Sconto 10% su tutte le sedie', '1000 percentage'],
    ['10% korting op je bestelling', '1000 percentage'],
    ['Rabatt: 15 procent', '1500 percentage'],
    ['£40 off a mattress', '6886 fixed'],
    ['Save CA$1,250.50 on a kitchen', '125050 fixed'],
    ['5 CAD off tea', '500 fixed'],
    ['40 € Rabatt auf Räder', '5913 fixed'],
    ['40 € de remise sur un vélo', '5913 fixed'],
    ['40,00 EUR di sconto', '5913 fixed'],
    ['Ahorra 40 euros', '5913 fixed'],
    ['-40€ sur la livraison', '5913 fixed'],
    ['1 500 € de réduction sur un voyage', '221739 fixed'],
    ['2\u202f000\u00a0€ de remise', '295652 fixed'],
    ['%20 off', '2000 percentage'],
  ])('is read: %s as %s [spec/3 2.23]', (title, expected) => {
    expect(worth(title)).toBe(expected);
  });

  it.each([
    'Up to 20% off boots',
    'Save from 10% this week',
    'Bis zu 30 % Rabatt auf Lampen',
    'Ab 10% Rabatt',
    'Mindestens 10 € Rabatt',
    "Jusqu'à 40% de réduction",
    'Jusqu’à 15 € de remise',
    'Dès 10% de réduction',
    'À partir de 10 € de remise',
    'Hasta 25% de descuento',
    'Desde 10% de descuento',
    'Fino al 30% di sconto',
    'Tot 20% korting',
    'Vanaf 10% korting',
    'Do 30% rabatu',
    'Over 50% off',
    'More than 10% off',
    'Max 20 € Rabatt',
  ])('is not read where it is the most or the least: %s', (title) => {
    expect(worth(title)).toBeNull();
  });

  it.each([
    '10-20% off rugs',
    '10 to 20% off rugs',
    '10% off chairs, 20% off tables',
    '$50 off when you spend $250',
    '10% off orders of 50 CAD',
    'Save on orders over 50 CAD',
    'Free delivery over £50',
    'Lamps for only 20 EUR',
    'Pillows now 15 CAD',
    'Chairs - 10 EUR',
    'Buy one, second at 50% off',
    '10% cashback on shoes',
    '0% interest for a year',
    '100% cotton shirts',
    'Chocolate with 70% cocoa',
    '20 SEK off books',
    '$10 off pizza',
    'Three for two',
    'Get 20% more coffee',
    'Get 30% extra free',
    'Take 10% back in points',
    'Get 10% store credit',
    'Win 50% off',
    'Save big: 50% of our customers do',
    'Get 1.5% fat milk',
    'Refer a friend and get 20% off',
    '2 x 500 CAD de rabais',
    '15 500 pts et 20 CAD de rabais',
    '3 for 10 CAD off',
    'Save 5k CAD',
    '1.500 € Rabatt',
    '1,500 CAD off',
    '10 000 kr rabatt',
    "1'500 CHF Rabatt",
    'iPhone 15 500 kr rabatt',
    'Save CAD 5-10',
    'Save 20 CAD+',
  ])('is not read where it is not unmistakably the discount: %s', (title) => {
    expect(worth(title)).toBeNull();
  });

  it('is read in dollars where the feed says which', () => {
    expect(worth('$10 off pizza', 'CAD')).toBe('1000 fixed');
    expect(worth('Rabais de 1 234,50 $', 'CAD')).toBe('123450 fixed');
    expect(worth('1,500 $ off', 'CAD')).toBeNull();
  });
});

it('takes a dollar sign for the currency only where that is a dollar', () => {
  const title = '$5 off your order';
  expect([worth(title, 'CAD'), worth(title, 'USD'), worth(title, 'EUR')]).toEqual([
    '500 fixed',
    '680 fixed',
    null,
  ]);
});
