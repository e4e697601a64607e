import { seeded } from '../fixtures/codes.ts';

/** What a drawn mail says of a coupon. */
export interface DrawnCoupon {
  readonly code: string;
  readonly pin: string;
  /** In hundredths. */
  readonly value: number;
  readonly discountType: 'fixed' | 'percentage';
  /** 'never' where it says that there is no last day; null where it says nothing of one. */
  readonly lastDay: string | null;
}
export type Language = 'en' | 'fr';
/** What is drawn from one seed. */
export type Draw = ReturnType<typeof drawing>;

export function drawing(seed: number) {
  const random = seeded(seed);
  const below = (count: number) => Math.floor(random() * count);
  const one = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error('There is nothing to draw from');
    return item;
  };
  const many = (count: number, from: string) =>
    Array.from({ length: count }, () => one(from.split(''))).join('');
  return { below, one, many, isSo: (share: number) => random() < share };
}

const LETTERS = 'ABCDEFGHJKLMNPQRTUVWXYZ';
const DIGITS = '23456789';

function drawCode({ one, many, below }: Draw, isCard: boolean): string {
  if (isCard)
    return one([
      () => [many(4, DIGITS), many(4, DIGITS), many(4, DIGITS), many(4, DIGITS)].join(' '),
      () => many(16, DIGITS),
      () => `${many(4, LETTERS)}-${many(4, LETTERS + DIGITS)}${below(10)}-${many(4, DIGITS)}`,
      () => `${many(4, LETTERS)}${many(6, DIGITS)}`,
    ])();
  return one([
    () => `${one(['SAVE', 'HOLIDAY', 'THANKS', 'NOEL', 'MERCI'])}${many(2, DIGITS)}`,
    () => `${many(3, LETTERS)}-${many(2, DIGITS)}-${many(3, LETTERS)}`,
    () => `${many(5, LETTERS)}${many(3, DIGITS)}${many(2, LETTERS)}`,
    () => one(['SPRINGTIME', 'BIENVENUE', 'WELCOMEBACK', 'FRIENDSFIRST']),
  ])();
}

const NAMES = {
  en: 'January February March April May June July August September October November December'.split(' '),
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
};

function drawDay({ one, below }: Draw, language: Language): { readonly day: string; readonly text: string } {
  const [year, month, date] = [one([2026, 2027]), below(12) + 1, below(28) + 1];
  const later = year === 2026 && month < 12 ? 2027 : year;
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${later}-${two(month)}-${two(date)}`;
  const name = NAMES[language][month - 1] ?? '';
  const forms =
    language === 'en'
      ? [
          `${name} ${date}, ${later}`,
          `${name.slice(0, 3)} ${date}, ${later}`,
          `${two(month)}/${two(date)}/${later}`,
          day,
          `${date} ${name} ${later}`,
        ]
      : [
          `${date === 1 ? '1er' : date} ${name} ${later}`,
          `${two(date)}/${two(month)}/${later}`,
          day,
          `le ${date === 1 ? '1er' : date} ${name} ${later}`,
        ];
  return { day, text: one(forms) };
}

function drawWorth({ one, isSo }: Draw, language: Language, isCard: boolean) {
  if (!isCard && isSo(0.6)) {
    const per = one([5, 10, 15, 20, 25, 30, 40, 50]);
    return {
      value: per * 100,
      discountType: 'percentage' as const,
      text: `${per}${language === 'fr' ? ' %' : '%'}`,
    };
  }
  const units = one([5, 10, 15, 25, 50, 75, 100, 250, 1_250, 1_500]);
  const cents = isSo(0.5);
  const grouped = (gap: string) =>
    units >= 1_000
      ? `${Math.floor(units / 1_000)}${gap}${String(units % 1_000).padStart(3, '0')}`
      : String(units);
  const text =
    language === 'fr'
      ? `${grouped(one([' ', '\u00a0', '\u202f']))}${cents ? ',00' : ''}${one([' ', '\u00a0'])}$`
      : `$${grouped(',')}${cents ? '.00' : ''}`;
  return { value: units * 100, discountType: 'fixed' as const, text };
}

/** The facts of a drawn coupon as its mail writes them. */
export interface Facts extends DrawnCoupon {
  readonly worthText: string;
  readonly dayText: string;
}

export function drawFacts(draw: Draw, language: Language, isCard: boolean): Facts {
  const { text: worthText, ...worth } = drawWorth(draw, language, isCard);
  const { day, text: dayText } = drawDay(draw, language);
  const pin = isCard && draw.isSo(0.7) ? draw.many(draw.one([4, 4, 6, 8]), DIGITS) : '';
  const ending = draw.below(10);
  const lastDay = ending === 0 ? null : ending === 1 && isCard ? 'never' : day;
  return { code: drawCode(draw, isCard), pin, ...worth, worthText, dayText, lastDay };
}

/** The words of senders. */
export const WORDS = {
  en: {
    shops: ['Maple Bakery', 'Birch Books', 'Shear Joy', 'North & Oak'],
    offer: (worth: string) => [
      `${worth} off everything`,
      `Save ${worth} on your next order`,
      `Take ${worth} off your order`,
      `Enjoy ${worth} off`,
    ],
    code: (code: string) => [
      `Use code ${code} at checkout`,
      `Code: ${code}`,
      `Your code: ${code}`,
      `Promo code: ${code}`,
      `Enter code ${code} online.`,
    ],
    until: (day: string) => [
      `Valid until ${day}`,
      `Expires ${day}`,
      `Offer ends ${day}.`,
      `Valid through ${day}`,
      `Good until ${day}`,
    ],
    never: ['No expiry date.', 'This card never expires.'],
    hello: ['Hi Pat,', 'Hello Pat,', 'A treat for you', 'We miss you!'],
    extra: [
      'Free shipping on all orders.',
      'Not valid with other offers.',
      'One use per customer.',
      'Thank you for your order.',
      'See you soon!',
    ],
    footer: [
      'You are receiving this email because you signed up.',
      '© 2026 Maple Bakery Inc., 12 King Street West',
      'Unsubscribe | Privacy policy',
      'Call us at 1-800-555-0199',
    ],
    card: ['You have received a gift card', 'Here is your gift card', 'Your eGift card is ready'],
    value: ['Gift card value', 'Value', 'Amount', 'Card value'],
    number: ['Card number', 'Gift card number', 'Gift card code', 'Code'],
    pin: ['PIN', 'PIN code', 'Security code'],
    expires: ['Expires', 'Expiry date', 'Valid until'],
    order: 'Order date: November 20, 2026',
    view: 'View this email in your browser: https://news.example/v?code=NOPE1',
    nth: (nth: number, worth: string) => `Gift card ${nth}: ${worth}`,
  },
  fr: {
    shops: ['Pâtisserie Léon', 'Librairie du Bouleau', 'Voyages Azur', 'Café Nord'],
    offer: (worth: string) => [
      `${worth} de rabais sur tout`,
      `Économisez ${worth} sur votre commande`,
      `${worth} de réduction sur votre prochain achat`,
      `Obtenez ${worth} de rabais`,
    ],
    code: (code: string) => [
      `Code promo : ${code}`,
      `Utilisez le code ${code} à la caisse`,
      `Votre code : ${code}`,
      `Entrez le code promotionnel ${code}.`,
    ],
    until: (day: string) => [
      `Valable jusqu’au ${day}`,
      `Valide jusqu'au ${day}`,
      `Expire le ${day.replace(/^le /, '')}`,
      `L’offre prend fin le ${day.replace(/^le /, '')}.`,
    ],
    never: ['Sans date d’expiration.', 'Cette carte n’expire jamais.'],
    hello: ['Bonjour Pat,', 'Une surprise pour vous', 'Vous nous manquez!'],
    extra: [
      'Livraison gratuite.',
      'Ne peut être combiné à une autre offre.',
      'Une seule utilisation par client.',
      'Merci de votre commande.',
      'À bientôt!',
    ],
    footer: [
      'Vous recevez ce courriel parce que vous êtes inscrit.',
      '© 2026 Pâtisserie Léon inc., 12, rue King Ouest',
      'Se désabonner | Confidentialité',
      'Appelez-nous au 1 800 555-0199',
    ],
    card: ['Vous avez reçu une carte-cadeau', 'Voici votre carte-cadeau', 'Votre carte-cadeau est prête'],
    value: ['Valeur', 'Montant', 'Valeur de la carte-cadeau'],
    number: ['Numéro de carte', 'Numéro de la carte-cadeau', 'Code', 'N° de carte'],
    pin: ['NIP', 'Code PIN', 'PIN', 'Code de sécurité'],
    expires: ['Expire le', 'Date d’expiration', 'Valable jusqu’au'],
    order: 'Commandé le 20 novembre 2026',
    view: 'Voir ce courriel dans votre navigateur : https://news.example/v?code=NOPE1',
    nth: (nth: number, worth: string) => `Carte-cadeau ${nth} : ${worth}`,
  },
};
