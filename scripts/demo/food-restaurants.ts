import type { DemoMerchant } from './offer.ts';

/** Places where one sits down to eat. */
export const RESTAURANTS: readonly DemoMerchant[] = [
  {
    name: 'Noodle Alley',
    category: 'food',
    codes: 'NA-####-@@',
    offers: [
      {
        worth: '$8',
        title: 'Any large ramen, $8 off',
        description:
          'Came with my loyalty card when it filled up. I am off gluten now, so somebody else should slurp this one.',
      },
      {
        worth: '15%',
        title: '15% off dinner for two',
        description: 'Good from Monday to Thursday, all evening. We only ever make it there at weekends.',
        terms: 'Dine-in only, Monday to Thursday after 17:00.',
      },
      {
        worth: '$12',
        title: 'Family bowl night',
        description:
          "Takes twelve dollars off two adult and two kids' bowls. Our youngest has declared war on noodles.",
      },
      {
        worth: '$4',
        title: 'Free gyoza with any bowl',
        description: 'Six pieces, pork or vegetable. Left over from a lunch deal at work.',
      },
      {
        worth: '25%',
        title: 'Lunch set 25% off',
        description:
          'Valid for the set with soup and tea. I changed offices and the nearest branch is now an hour away.',
      },
    ],
  },
  {
    name: 'La Piazzetta',
    category: 'food',
    codes: 'PIAZZA@@###',
    offers: [
      {
        worth: '$15',
        title: '$15 off two pizzas',
        description: 'Won at the school raffle. Lovely wood oven place, but we are dairy-free at home.',
      },
      {
        worth: '20%',
        title: '20% off the whole bill',
        description: 'For tables of up to six. I have two of these and only one birthday, so one can go.',
        terms: 'Not with other offers. Not on public holidays.',
      },
      {
        worth: '$6.50',
        title: 'Free tiramisu with a main',
        description: "Best tiramisu in town if you ask me. I already used mine, this was my husband's.",
      },
      {
        worth: '$30',
        title: 'Tasting menu, $30 off',
        description:
          'Five courses, book ahead and mention the voucher. We are expecting a baby before we could possibly use it.',
      },
      {
        worth: '10%',
        title: '10% off takeaway',
        description: 'Works on the phone or at the counter. Fine for a lazy Sunday.',
        expires: 6,
      },
    ],
  },
  {
    name: 'Taco Tranvia',
    category: 'food',
    codes: 'TT#######',
    offers: [
      {
        worth: '$5',
        title: 'Three tacos for the price of two',
        description: 'Any filling, fish included. I got it for filling in a survey.',
      },
      {
        worth: '$10',
        title: 'Taco Tuesday tenner',
        description: 'Ten off when you spend thirty, Tuesdays only. My Tuesdays are choir practice.',
        terms: 'Minimum spend $30. Tuesdays only.',
      },
      {
        worth: '30%',
        title: '30% off a party platter',
        description: 'The big one feeds ten. The party moved, the platter did not.',
      },
      {
        worth: '$3.50',
        title: 'Churros on the house',
        description: 'A portion with chocolate sauce. No minimum, just show it before ordering.',
      },
      {
        worth: '20%',
        title: 'Student night 20%',
        description: 'You need a student card of any kind. I graduated, hooray and alas.',
      },
    ],
  },
  {
    name: 'Saffron Court',
    category: 'food',
    codes: 'SC/@@@/###',
    offers: [
      {
        worth: '$20',
        title: '$20 off a curry for four',
        description:
          'From the neighbours as a thank-you for watering plants. We would rather have something for the garden.',
      },
      {
        worth: '12%',
        title: '12% off delivery orders',
        description:
          'Order on their own site, not through the delivery apps. Does not stack with the lunch menu.',
      },
      {
        worth: '$9',
        title: 'Thali lunch voucher',
        description:
          'Covers most of a vegetarian thali at noon. I work nights and sleep through every lunch.',
      },
      {
        worth: '$45',
        title: 'Sunday buffet for two',
        description: 'Covers two adults completely, drinks are extra. Call on Friday, they fill up.',
        terms: 'Sundays 12:00 to 15:00. Reservation required.',
      },
      {
        worth: '18%',
        title: '18% off any set menu',
        description: 'Picked it up at the street festival. Nice people, and the dal is worth the trip.',
      },
    ],
  },
  {
    name: 'Fjord Fish Bar',
    category: 'food',
    codes: 'FJ####@',
    offers: [
      {
        worth: '$7',
        title: 'Fish and chips, $7 off',
        description: 'Handed out at the harbour run. I turned vegetarian the same week, of all things.',
      },
      {
        worth: '$3',
        title: 'Free mushy peas and a pickle',
        description: 'Small but honest. Swap me anything.',
      },
      {
        worth: '15%',
        title: '15% off after eight',
        description:
          'For the late crowd, every day but Saturday. I have small children: there is no after eight.',
        terms: 'From 20:00 until closing. Not on Saturdays.',
      },
      {
        worth: '$22',
        title: 'Seafood platter for two, $22 off',
        description:
          'Anniversary gift from friends who forgot about my shellfish allergy. Still sealed in its envelope.',
      },
      {
        worth: '50%',
        title: 'Second portion half price',
        description: 'Two of the same size, the cheaper one is halved. Printed on my last receipt.',
      },
    ],
  },
  {
    name: 'Morning Glory Diner',
    category: 'food',
    codes: 'MGD-@####',
    offers: [
      {
        worth: '$5.50',
        title: 'Bottomless coffee with breakfast',
        description: 'As many refills as you can bear. My doctor says one cup, so here we are.',
      },
      {
        worth: '25%',
        title: 'A quarter off brunch',
        description: 'Weekdays before eleven. It would suit somebody with a kinder timetable than mine.',
      },
      {
        worth: '$14',
        title: 'Pancake breakfast for a family',
        description:
          'Two big stacks, two small ones. We moved across the country and this did not come with us in spirit.',
      },
      {
        worth: '$8',
        title: '$8 off any two mains',
        description: 'Straight from their mailing list. I get one every quarter and never manage to go.',
      },
      {
        worth: '10%',
        title: 'Early bird 10%',
        description: 'Before half past seven in the morning. Night-shift people, this is for you.',
        terms: 'Orders placed before 7:30.',
      },
    ],
  },
  {
    name: 'Bento & Beyond',
    category: 'food',
    codes: 'BNB#####',
    offers: [
      {
        worth: '$6',
        title: '$6 off a deluxe bento',
        description: 'The deluxe comes with salmon and tamago. I bring my own lunch these days.',
      },
      {
        worth: '20%',
        title: '20% off sushi platters',
        description:
          'From 24 pieces up, order a day ahead. Bought for an office farewell that became a picnic.',
      },
      {
        worth: '$2.50',
        title: 'Free miso soup, five times',
        description: 'Five stamps left out of ten on this one. It counts once per visit.',
        terms: 'One soup per visit, any branch.',
      },
      {
        worth: '$18',
        title: 'Sushi class, $18 off',
        description: 'Two hours on a Saturday, you eat what you roll. My Saturdays are taken until summer.',
      },
      {
        worth: '15%',
        title: '15% off everything after seven',
        description: "They sell the day's boxes cheaper in the evening, and this goes on top.",
      },
    ],
  },
];
