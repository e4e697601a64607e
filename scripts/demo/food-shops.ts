import type { DemoMerchant } from './offer.ts';

/** Bakeries, cafés, groceries and sweet things. */
export const FOOD_SHOPS: readonly DemoMerchant[] = [
  {
    name: 'Harbour & Rye Bakery',
    category: 'food',
    codes: 'RYE-####-@@',
    offers: [
      {
        worth: '$6',
        title: 'Sourdough loaf on the house',
        description: 'One large loaf, any Saturday. I bake my own now and I am insufferable about it.',
      },
      {
        worth: '10%',
        title: '10% off, all week',
        description:
          "Bread, buns, sandwiches, the lot. Got this with my receipt, won't be back in town before it ends.",
        expires: 5,
      },
      {
        worth: '$4.50',
        title: 'Coffee and cinnamon bun',
        description: 'The bun is the size of your face. From a colleague who left.',
      },
      {
        worth: '$25',
        title: 'Celebration cake, $25 off',
        description:
          "They need three days' notice for anything with a name on it. Our wedding baker was somebody else in the end.",
        terms: 'Order at least three days ahead.',
      },
      {
        worth: '20%',
        title: "Yesterday's bread and 20% more off",
        description: 'On top of the reduced shelf by the door. Makes wonderful French toast.',
      },
    ],
  },
  {
    name: 'Blue Kettle Coffee',
    category: 'food',
    codes: 'KETTLE####',
    offers: [
      {
        worth: '$5',
        title: 'One drink, any size',
        description: 'Came with a bag of beans. I am down to decaf at home and happy with it.',
      },
      {
        worth: '$12',
        title: 'Twelve dollars of beans',
        description: 'Off any one-kilo bag, espresso or filter. I switched to tea in January and it stuck.',
      },
      {
        worth: '15%',
        title: '15% off at the counter',
        description: 'Three visits left on it. Works at the station branch too.',
        terms: 'Valid for three visits.',
      },
      {
        worth: '$40',
        title: 'Barista morning for one',
        description: 'They teach you milk and patience. A birthday present from people who overestimated me.',
      },
      {
        worth: '20%',
        title: '20% off brewing gear',
        description: 'Grinders are included, machines are not. Somebody with a V60 habit will be glad of it.',
      },
    ],
  },
  {
    name: 'Green Basket Market',
    category: 'food',
    codes: 'GB-###-###-@',
    offers: [
      {
        worth: '$10',
        title: '$10 off a $60 shop',
        description: 'Our fridge is full and the date is close. First come.',
        expires: 3,
        terms: 'Minimum purchase $60 before tax. Excludes alcohol and gift cards.',
      },
      {
        worth: '$5',
        title: 'Five dollars off fruit and veg',
        description: 'Anything in the produce aisle, weighed or packed. We get a farm box these days.',
      },
      {
        worth: '5%',
        title: '5% off one large shop',
        description:
          'The one everybody gets in spring, good for a single trip. I shop by bicycle, so large is relative.',
      },
      {
        worth: '$15',
        title: 'First delivery, $15 off',
        description:
          'For a new account only, that is their rule. We have been customers for years, so it is no use to us.',
        terms: 'New delivery customers only.',
      },
      {
        worth: '30%',
        title: '30% off the own-label shelf',
        description: 'Pasta, tins, oils, the blue labels. Stock up and thank me in winter.',
      },
    ],
  },
  {
    name: 'Farmbox Weekly',
    category: 'food',
    codes: 'FBX@@@@##',
    offers: [
      {
        worth: '$24',
        title: 'First vegetable box nearly free',
        description: 'Referral voucher, so it has to be a new household. Lots of kale, be warned.',
      },
      {
        worth: '40%',
        title: '40% off your first month',
        description: 'Four boxes, skip any week you like. My landlady signed us up already.',
        terms: 'New subscribers. Can be cancelled after the first box.',
      },
      {
        worth: '$9',
        title: 'Add-on cheese selection',
        description: 'Three small cheeses in your next box. I am lactose intolerant and a bit sad about it.',
      },
      {
        worth: '15%',
        title: '15% off the small box',
        description: 'Right for one person who cooks. I travel too much to keep up with lettuce.',
      },
      {
        worth: '$18',
        title: 'Fruit box voucher',
        description:
          'Office leftovers: we ordered too many for the team day. Delivered anywhere they already go.',
      },
    ],
  },
  {
    name: 'Corner Deli Co.',
    category: 'food',
    codes: 'DELI-#####',
    offers: [
      {
        worth: '$7.50',
        title: 'Any sandwich and a soup',
        description: 'The reuben is the one to get. I gave up lunch breaks when I gave up that job.',
      },
      {
        worth: '$3',
        title: 'Half price pickle jar',
        description: 'Three dollars off the large jar. They are very serious about pickles.',
      },
      {
        worth: '20%',
        title: '20% off catering trays',
        description: 'From ten people up. We planned a wake and my aunt cooked for sixty instead.',
      },
      {
        worth: '$16',
        title: 'Picnic hamper, $16 off',
        description: 'Bread, cheese, two drinks and a blanket you give back. Needs a deposit for the basket.',
        terms: 'Refundable deposit of $20 for the basket.',
      },
      {
        worth: '10%',
        title: 'Ten per cent with your own cup',
        description: 'Bring a cup or a box and it comes off the bill. No limit on how often until it ends.',
      },
    ],
  },
  {
    name: 'Sugar Plum Patisserie',
    category: 'food',
    codes: 'PLUM##@@',
    offers: [
      {
        worth: '$11',
        title: 'Box of six macarons',
        description:
          'You choose the flavours, pistachio goes early. It was a thank-you from a client and I am cutting down on sugar.',
      },
      {
        worth: '$35',
        title: 'Afternoon tea for two, $35 off',
        description: 'Tiers, tiny sandwiches, the whole performance. We went twice this year already.',
        terms: 'Wednesday to Sunday, 14:00 to 17:00, by reservation.',
      },
      {
        worth: '25%',
        title: '25% off whole tarts',
        description: 'Lemon or pear, order the day before. Only at the market hall branch.',
      },
      {
        worth: '$4',
        title: 'Hot chocolate, the good one',
        description: 'The thick kind with a spoon standing in it. Came with a jigsaw puzzle, strangely.',
      },
      {
        worth: '15%',
        title: '15% off wedding tasting',
        description: 'Takes a bit off the tasting session. We eloped.',
      },
    ],
  },
  {
    name: 'Scoops Parlour',
    category: 'food',
    codes: 'SCOOP###',
    offers: [
      {
        worth: '$5',
        title: 'Two scoops and a waffle cone',
        description: 'Any flavour but the gold leaf one. My kids have five of these, they will survive.',
        expires: 13,
      },
      { worth: '$2', title: 'A free topping', description: 'Two dollars of joy. Great to round off a swap.' },
      {
        worth: '$14',
        title: 'Ice cream cake, $14 off',
        description: 'For the large one, order two days ahead. The birthday child asked for a pie instead.',
      },
      {
        worth: '20%',
        title: 'Family tub 20% off',
        description: 'One litre to take home. Our freezer died and took the summer with it.',
      },
      {
        worth: '30%',
        title: 'Rainy day 30%',
        description: 'Only when it is raining, they do check the window. I love this shop.',
        terms: 'Valid in wet weather at the discretion of the person behind the counter.',
        expires: null,
      },
    ],
  },
];
