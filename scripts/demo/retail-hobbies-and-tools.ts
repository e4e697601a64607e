import type { DemoMerchant } from './offer.ts';

/** Electronics, books, gardens, pets and things with wheels. */
export const HOBBIES_AND_TOOLS: readonly DemoMerchant[] = [
  {
    name: 'Voltstore',
    category: 'retail',
    codes: 'VOLT-@@@@-####',
    offers: [
      {
        worth: '$120',
        title: '$120 off a laptop',
        description: 'From a thousand up. My work gave me one the very same week.',
        terms: 'Laptops from $1,000. One per household.',
      },
      {
        worth: '15%',
        title: '15% off headphones',
        description: 'All brands on the shelf, in-ear too. I already own three pairs and lose all of them.',
      },
      {
        worth: '$30',
        title: 'Thirty off a phone',
        description: 'Without a contract, new or refurbished. Mine is seven years old and still texts.',
      },
      {
        worth: '$250',
        title: 'Kitchen appliance credit',
        description:
          'Store credit from a fridge that arrived dented, good for large appliances only. The fridge still works, so now we have the credit and no need.',
        terms: 'Large appliances only. Non-refundable.',
      },
      {
        worth: '10%',
        title: '10% off cables and chargers',
        description: 'One basket, no limit on pieces. You know you need cables.',
      },
    ],
  },
  {
    name: 'Pixel & Plug',
    category: 'retail',
    codes: 'PXP######@@',
    offers: [
      {
        worth: '$18',
        title: '$18 off a mechanical keyboard',
        description: 'My flatmate asked me not to. Clicky ones are included.',
      },
      {
        worth: '25%',
        title: '25% off phone cases',
        description:
          'Also screen films. They put the film on for you without bubbles, which is worth something.',
      },
      {
        worth: '$45',
        title: 'Monitor voucher',
        description: "Forty-five off any screen from 24 inches. I work on the sofa, to my physio's horror.",
      },
      {
        worth: '12%',
        title: '12% off one order',
        description: 'Sent after a delayed parcel. Not for gift cards or consoles.',
        terms: 'Excludes consoles and gift cards.',
      },
      {
        worth: '$9.99',
        title: 'Free express shipping',
        description: 'Saves what next-day delivery costs. I live around the corner.',
      },
    ],
  },
  {
    name: 'The Paper Lantern Bookshop',
    category: 'retail',
    codes: 'LANTERN-####',
    offers: [
      {
        worth: '$10',
        title: '$10 off any hardback',
        description: 'From the reading group. My shelves are bending as it is.',
      },
      {
        worth: '20%',
        title: '20% off picture books',
        description: 'Great for grandparents. Ours read on their own now and sneer at pictures.',
      },
      {
        worth: '$25',
        title: 'Book token, $25',
        description: 'A plain old token, no strings. I would love something to eat out with instead.',
        expires: null,
      },
      {
        worth: '15%',
        title: '15% off three paperbacks',
        description: 'Buy three, any shelf. The staff notes are better than any algorithm.',
      },
      {
        worth: '$7',
        title: 'Author evening, one seat',
        description: 'One seat and a glass of something. It is on a night I have to work.',
        expires: 11,
        hasNoCode: true,
      },
    ],
  },
  {
    name: 'Second Chapter Books',
    category: 'retail',
    codes: '2CH@@##',
    offers: [
      {
        worth: '$8',
        title: 'Trade-in credit, $8',
        description: 'Credit for books I brought in. I meant to make space, not to carry more home.',
      },
      {
        worth: '50%',
        title: 'Half off the dollar trolley',
        description: 'Yes, that makes fifty cents a book. The crime novels go first.',
      },
      {
        worth: '$15',
        title: 'Fifteen off records and sheet music',
        description: 'They have a surprising cellar. I have no turntable and no piano.',
      },
      {
        worth: '20%',
        title: '20% off comics',
        description:
          'Back issues too. I found this inside a book I bought there, which felt like a sign, but not for me.',
      },
      {
        worth: '10%',
        title: 'Ten off everything on Thursdays',
        description: 'Ten per cent, quiet day, good tea.',
        terms: 'Thursdays only.',
      },
    ],
  },
  {
    name: 'Willow Garden Centre',
    category: 'retail',
    codes: 'WGC-##-##-@',
    offers: [
      {
        worth: '$20',
        title: '$20 off trees and shrubs',
        description: 'We only have a balcony. They help you carry it to the car.',
      },
      {
        worth: '15%',
        title: '15% off pots',
        description:
          'Terracotta and the glazed ones. I broke one on the way out and they still gave me this.',
      },
      {
        worth: '$6',
        title: 'Seeds, six packets for three',
        description: 'Worth about six dollars. Sow in spring, swap in winter.',
      },
      {
        worth: '30%',
        title: 'Bulbs 30% off',
        description: 'They want to be in the ground soon, so hurry. I have tulips in every corner already.',
        expires: 19,
      },
      {
        worth: '$65',
        title: 'Raised bed kit, $65 off',
        description: 'Larch, no screws. We were going to, and then we got chickens.',
        terms: 'Collection only.',
      },
    ],
  },
  {
    name: 'Timber & Tool',
    category: 'retail',
    codes: 'TIM#####',
    offers: [
      {
        worth: '$40',
        title: '$40 off power tools',
        description: "From a hundred and fifty. I borrow my neighbour's, it keeps us talking.",
      },
      {
        worth: '10%',
        title: '10% off paint',
        description: 'Any colour, mixed while you wait. The nursery is finished and it is yellow.',
      },
      {
        worth: '$12',
        title: 'Tool hire, first day free',
        description: 'Saves about twelve dollars on a sander. They want a deposit and an ID.',
        terms: 'Deposit required.',
      },
      {
        worth: '20%',
        title: '20% off decking boards',
        description: 'Bought for a terrace that the council did not like. Cutting is free.',
      },
      {
        worth: '$5',
        title: 'Key copied for free',
        description: 'One key. I have given away too many already, my flat is practically public.',
      },
    ],
  },
  {
    name: 'Paws & Pantry',
    category: 'retail',
    codes: 'PAW-@@@-###',
    offers: [
      {
        worth: '$14',
        title: '$14 off a big bag of dog food',
        description:
          'From ten kilos. Our old boy passed away in autumn; I would be glad if another dog got something out of it.',
      },
      {
        worth: '20%',
        title: '20% off cat litter',
        description: 'The wood pellets as well. My cat is an outdoor philosopher.',
      },
      {
        worth: '$35',
        title: 'Dog grooming, $35 off',
        description: 'Wash, cut, nails. We have a hairless cat, so no.',
        terms: 'By appointment, dogs up to 30 kg.',
      },
      {
        worth: '10%',
        title: '10% off aquarium things',
        description: 'Pumps, plants, not the fish. Came with an order I made for my niece.',
      },
      {
        worth: '$4',
        title: 'Treat bag',
        description: 'Four dollars off any bag of treats. Even the smelly ones.',
      },
    ],
  },
  {
    name: 'Spoke & Chain Cycles',
    category: 'retail',
    codes: 'SPK####',
    offers: [
      {
        worth: '$30',
        title: 'Spring service, $30 off',
        description: 'Brakes, gears, chain. I do my own and get my hands dirty with pleasure.',
      },
      {
        worth: '15%',
        title: '15% off helmets and lights',
        description: 'Be safe, please. I bought mine a week too early.',
      },
      {
        worth: '$200',
        title: 'E-bike test voucher, $200 off',
        description:
          'If you buy one within a month of a test ride. I tried it, grinned, and remembered my rent.',
        terms: 'E-bikes from $2,000, within 30 days of a test ride.',
      },
      {
        worth: '$11',
        title: 'Two inner tubes',
        description: 'Any size in stock. I switched to tubeless and there is no way back.',
      },
      {
        worth: '25%',
        title: '25% off rain wear for riders',
        description: 'Jackets and overshoes. I take the tram like a coward.',
      },
    ],
  },
  {
    name: 'Meeple Manor Games',
    category: 'retail',
    codes: 'MEEPLE-@@##',
    offers: [
      {
        worth: '$16',
        title: '$16 off any big box game',
        description: 'From sixty up. We have run out of cupboard.',
      },
      {
        worth: '20%',
        title: '20% off puzzles',
        description: 'A thousand pieces or more. My table is needed for dinner now and then.',
      },
      {
        worth: '$5',
        title: 'Game café, table for free',
        description:
          'Saves the table fee for up to four people, drinks extra. They know every rule book by heart.',
      },
      { worth: '10%', title: '10% off card sleeves and dice', description: 'You know who you are.' },
      {
        worth: '35%',
        title: '35% off ex-demo games',
        description: 'Opened, complete, loved. The weekend deal is almost over.',
        expires: 1,
      },
    ],
  },
];
