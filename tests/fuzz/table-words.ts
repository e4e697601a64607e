export type Language = 'en' | 'fr';

/** What people write in their tables. */
export const WORDS = {
  en: {
    merchants: [
      'Corner Coffee',
      'Shear Joy',
      'Tea & "Co"',
      'Pizza Palazzo',
      'Roots, Main Street',
      'Total Fuel',
    ],
    titles: [
      'A fifth off any haircut',
      'Gift card',
      'Off the next order',
      'Winter sale',
      'For new customers',
    ],
    heads: {
      merchant: ['Merchant', 'Store', 'Shop', 'Retailer', 'Brand'],
      title: ['Title', 'Offer', 'Deal', 'What'],
      code: ['Code', 'Coupon code', 'Promo code', 'Voucher number', 'CODE'],
      pin: ['PIN', 'Pin code'],
      value: ['Value', 'Discount', 'Worth'],
      day: ['Expires', 'Valid until', 'Expiry date', 'Exp date', 'Last day'],
    },
    others: ['Bought on', 'Friend', 'Row'],
    months: 'January February March April May June July August September October November December',
    never: ['never', 'no expiry', 'unlimited'],
    title: 'My coupons 2036',
    note: 'The list is kept by Sam and Alex',
    total: 'Total',
    hidden: 'Lists',
    notes: 'How to use this workbook',
  },
  fr: {
    merchants: [
      'Boulangerie Côté',
      'Épicerie du Coin',
      'Café "Nord"',
      'Ski Sud',
      'Théâtre, rue Principale',
      'Total',
    ],
    titles: ['Rabais d’hiver', 'Carte-cadeau', 'Sur la prochaine commande', 'Pour les nouveaux clients'],
    heads: {
      merchant: ['Magasin', 'Commerçant', 'Enseigne', 'Boutique'],
      title: ['Titre', 'Offre'],
      code: ['Code promo', 'Code', 'Code de réduction', 'Numéro de carte'],
      pin: ['NIP', 'Code PIN'],
      value: ['Valeur', 'Rabais', 'Remise', 'Réduction'],
      day: ['Expire le', 'Échéance', 'Valable jusqu’au', 'Date d’expiration', 'Dernier jour'],
    },
    others: ['Acheté chez', 'Ami', 'Rang'],
    months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    never: ['jamais', 'illimité', 'sans expiration'],
    title: 'Mes coupons 2036',
    note: 'Tenue par Sam et Alex',
    total: 'Total',
    hidden: 'Listes',
    notes: 'Comment utiliser ce classeur',
  },
};
export type Words = (typeof WORDS)[Language];
