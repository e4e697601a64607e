import type { DemoMerchant } from './offer.ts';

/** What one wears and what one lives with. */
export const WARDROBE_AND_HOME: readonly DemoMerchant[] = [
  {
    name: 'Northwind Outfitters',
    category: 'retail',
    codes: 'NW-@@##-@@##',
    offers: [
      {
        worth: '$50',
        title: '$50 off a winter jacket',
        description: 'For anything over two hundred. My old parka refuses to die, so I will not need it.',
      },
      {
        worth: '20%',
        title: '20% off hiking boots',
        description: "Both seasons' models. I bought mine the week before this arrived, naturally.",
      },
      {
        worth: '$15',
        title: 'Fifteen off base layers',
        description: 'Merino counts too. Picked up at the trail clean-up day.',
      },
      {
        worth: '10%',
        title: "10% off, members' weekend",
        description: 'Works on sale items as well, which is rare for them.',
        expires: 9,
      },
      {
        worth: '$85',
        title: 'Tent trade-in credit',
        description:
          'They gave me credit for my old tent and I have stopped camping. Good on any tent or pack, not transferable at the till unless you have the code.',
        terms: 'One purchase, no change given.',
      },
    ],
  },
  {
    name: 'Thread & Button',
    category: 'retail',
    codes: 'TB######',
    offers: [
      {
        worth: '25%',
        title: 'A quarter off knitwear',
        description: 'Jumpers, cardigans, the scarves by the door. I knit my own, so this is wasted on me.',
      },
      {
        worth: '$20',
        title: '$20 off when you spend $80',
        description:
          "Arrived with an order that did not fit. I am done with that shop's sizing, you may have better luck.",
        terms: 'Minimum spend $80.',
      },
      {
        worth: '30%',
        title: '30% off one full-price item',
        description: 'One item, once, in the shop. I never find just one item, that is the trouble.',
      },
      {
        worth: '$10',
        title: 'Free hemming, two pairs',
        description: 'They shorten any trousers bought there. I am tall.',
      },
      {
        worth: '15%',
        title: 'Birthday month 15%',
        description: "They never asked for proof of the birthday when I used last year's.",
      },
    ],
  },
  {
    name: 'Little Sprouts Kids',
    category: 'retail',
    codes: 'SPROUT-@###',
    offers: [
      {
        worth: '$12',
        title: '$12 off rain gear',
        description: 'Boots, suits, tiny umbrellas. Ours has outgrown the sizes they carry.',
      },
      {
        worth: '20%',
        title: 'New baby 20%',
        description: 'From the hospital welcome bag. We were given enough onesies for a football team.',
        terms: 'Sizes up to 24 months.',
      },
      {
        worth: '$30',
        title: 'School start voucher',
        description: 'Thirty off backpacks and shoes together. Grandma was quicker than us.',
      },
      {
        worth: '35%',
        title: '35% off last season',
        description: 'On the rails at the back. If your child is not fussy about dinosaurs, wonderful.',
        expires: 2,
      },
      {
        worth: '$7',
        title: 'Seven dollars off socks and tights',
        description: 'Buy three pairs and it takes care of one. Socks vanish, vouchers do too.',
      },
    ],
  },
  {
    name: 'Stride Shoes',
    category: 'retail',
    codes: 'STR#####@',
    offers: [
      {
        worth: '$25',
        title: '$25 off running shoes',
        description: 'After a gait test, which is free. Bad knee, so I swim now.',
      },
      {
        worth: '15%',
        title: '15% off any pair',
        description: 'I keep getting these by post. Leather care products are left out.',
        terms: 'Excludes care products and laces.',
      },
      {
        worth: '50%',
        title: 'Second pair half price',
        description:
          'Cheaper pair halved, must be bought together. Ideal for two people who agree on a Saturday.',
      },
      {
        worth: '$8',
        title: 'Free resole inspection and $8 off',
        description:
          'For leather shoes only. They talk you out of it when it is not worth it, which I liked.',
      },
      {
        worth: '$40',
        title: 'Forty off hiking boots or wellies',
        description: 'Prize from the charity walk. My feet are an odd size that they do not stock.',
      },
    ],
  },
  {
    name: 'Bright Nest Home',
    category: 'retail',
    codes: 'NEST-####-####',
    offers: [
      {
        worth: '$35',
        title: '$35 off lamps and shades',
        description: 'We moved into a place with terrible ceilings and then moved out again.',
      },
      {
        worth: '10%',
        title: '10% off furniture',
        description: 'Even the outlet pieces. Delivery is still on you.',
      },
      {
        worth: '$100',
        title: '$100 towards a sofa',
        description: 'For sofas from eight hundred up. Our cat has made clear we are not getting a new sofa.',
        terms: 'Minimum price $800. One voucher per sofa.',
      },
      {
        worth: '60%',
        title: '60% off seasonal decorations',
        description: 'Anything with a bauble on it. I am a minimalist this year.',
      },
      {
        worth: '$9',
        title: 'Candle of your choice',
        description: 'The medium jar. They gave me a headache but people swear by the fig one.',
      },
    ],
  },
  {
    name: 'Loom & Linen',
    category: 'retail',
    codes: 'LL@@@###',
    offers: [
      {
        worth: '$60',
        title: '$60 off a duvet',
        description:
          'Goose or wool, from two hundred up. Bought a duvet elsewhere on impulse and regret it a little.',
      },
      { worth: '20%', title: '20% off towels', description: 'All colours, but not the bath mats, I tried.' },
      {
        worth: '$18',
        title: 'Pillow pair discount',
        description: 'Two pillows, eighteen off. I have the neck of an owl and do not need new ones.',
      },
      {
        worth: '30%',
        title: 'Linen sheets 30% off',
        description: 'From the wedding list people, who sent us two. They wash beautifully.',
        terms: 'Online only, one order.',
      },
      {
        worth: '12%',
        title: '12% off your first order',
        description: 'New customers, no minimum. It came with the catalogue.',
      },
    ],
  },
  {
    name: 'Velvet Petal Florist',
    category: 'retail',
    codes: 'PETAL##',
    offers: [
      {
        worth: '$15',
        title: 'Bouquet, $15 off',
        description:
          'Any bouquet from forty. My partner has hay fever, so flowers are an act of aggression here.',
        hasNoCode: true,
      },
      {
        worth: '20%',
        title: '20% off a monthly subscription',
        description: "Three months at least. Somebody's mother would be delighted.",
      },
      {
        worth: '$6',
        title: 'Free gift wrapping and card',
        description: 'They write the card by hand if you ask nicely. No purchase minimum.',
      },
      {
        worth: '25%',
        title: '25% off wedding flowers',
        description:
          'A real saving on a big order. Our wedding is on a beach and the sand does not need roses.',
        terms: 'Orders from $500, booked a month ahead.',
      },
      {
        worth: '$10',
        title: 'Potted orchid voucher',
        description: 'I have killed four. Please take it away from me.',
        expires: 24,
      },
    ],
  },
  {
    name: 'Clear View Optics',
    category: 'retail',
    codes: 'CVO-####@',
    offers: [
      {
        worth: '$75',
        title: '$75 off frames',
        description: 'With lenses from the same shop. My prescription has not changed in years, lucky me.',
      },
      {
        worth: '$20',
        title: 'Eye test voucher',
        description: 'Covers about half of a full test. My employer pays for mine.',
      },
      {
        worth: '50%',
        title: 'Second pair at half price',
        description: 'Sunglasses count as a second pair. I wear contacts nine days out of ten.',
      },
      {
        worth: '15%',
        title: '15% off contact lenses',
        description: 'Monthlies and dailies, one order. The brand I need is not among them.',
        terms: "One order of up to six months' supply.",
      },
      {
        worth: '$5',
        title: 'Cleaning kit for nothing',
        description: 'Spray, cloth, tiny screwdriver. Useful and free, what is not to like.',
      },
    ],
  },
  {
    name: 'Lumen Beauty',
    category: 'retail',
    codes: 'LUM@@@@@#',
    offers: [
      {
        worth: '$22',
        title: '$22 off skin care',
        description: 'From fifty up. My skin likes plain soap, sorry to say.',
      },
      {
        worth: '20%',
        title: '20% off make-up',
        description: "All brands in the shop, testers excluded, ha. Was in the bag with my sister's order.",
      },
      {
        worth: '$12',
        title: 'Mini facial, $12 off',
        description: 'Thirty minutes in the back room. I am ticklish and left halfway last time.',
        terms: 'By appointment.',
      },
      {
        worth: '10%',
        title: '10% on the perfume wall',
        description: 'The expensive wall, so ten per cent is something.',
      },
      {
        worth: '30%',
        title: '30% off refills',
        description: 'Bring the empty jar. A good habit, I just use up one jar a year.',
      },
    ],
  },
];
