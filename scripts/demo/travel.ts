import type { DemoMerchant } from './offer.ts';

/** Going away, and where to leave the car meanwhile. */
export const TRAVEL: readonly DemoMerchant[] = [
  {
    name: 'Kestrel Air',
    category: 'travel',
    codes: 'KA@@######',
    offers: [
      {
        worth: '$150',
        title: '$150 flight voucher',
        description:
          'Compensation for a very long night in an airport. Bookable for anybody, you enter the code at payment.',
        terms: 'One booking, no change given. Taxes and fees included.',
      },
      {
        worth: '10%',
        title: '10% off any fare',
        description: 'Return flights outside the holidays. We have a baby and no nerves.',
      },
      {
        worth: '$45',
        title: 'Checked bag, both ways',
        description: 'Takes the bag fee off one return trip. I travel with a toothbrush.',
      },
      {
        worth: '$60',
        title: 'Seat upgrade credit',
        description: 'For the rows with space for knees. I am 158 cm tall and fold easily.',
      },
      {
        worth: '25%',
        title: 'Companion flies for a quarter less',
        description: 'Two people on one booking. My companion is now my ex-companion.',
      },
    ],
  },
  {
    name: 'Roamer Car Hire',
    category: 'travel',
    codes: 'ROAM-####-@',
    offers: [
      {
        worth: '$35',
        title: '$35 off a weekend car',
        description: 'Friday noon to Monday morning. I bought a car, which solved it differently.',
      },
      {
        worth: '15%',
        title: '15% off a week',
        description: 'All classes but the vans. You need to be 25, they are strict.',
        terms: 'Drivers from 25 years. Fuel not included.',
      },
      {
        worth: '$20',
        title: 'Second driver free',
        description: 'Saves around twenty a trip. My co-driver prefers to navigate, loudly.',
      },
      {
        worth: '$90',
        title: 'Camper van, $90 off',
        description: 'Three nights or more. We tried it once and we are hotel people.',
      },
      {
        worth: '12%',
        title: '12% off moving vans',
        description: 'Half a day or a whole one. I have sworn never to move again.',
      },
    ],
  },
  {
    name: 'Lakeside Lodges',
    category: 'travel',
    codes: 'LAKE####',
    offers: [
      {
        worth: '$180',
        title: 'Two nights in a cabin, $180 off',
        description: 'A real stove and a canoe. My partner is afraid of spiders, and there are spiders.',
        terms: 'Sunday to Thursday, outside July and August.',
      },
      {
        worth: '20%',
        title: '20% off the shoulder season',
        description: 'April, May and October. Quiet, misty, wonderful.',
      },
      {
        worth: '$40',
        title: 'Sauna evening, $40 off',
        description: "Wood fired, right on the water. Doctor's orders: no saunas for me this year.",
      },
      {
        worth: '$25',
        title: 'Canoe for a day',
        description: 'With vests and a waterproof bag. It was in our welcome pack, and it rained.',
      },
      {
        worth: '30%',
        title: 'Last-minute cabin, 30% off',
        description: 'For stays that begin this week. I cannot get the days off.',
        expires: 4,
      },
    ],
  },
  {
    name: 'Starliner Night Trains',
    category: 'travel',
    codes: 'STAR-@@@-####',
    offers: [
      {
        worth: '$55',
        title: 'Couchette, $55 off',
        description: 'Any route they run. I sleep badly on trains and well everywhere else.',
      },
      {
        worth: '15%',
        title: '15% off sleeper cabins',
        description: 'Private cabin for one or two. Breakfast is brought to the door, which is the point.',
      },
      {
        worth: '$12',
        title: 'Bicycle ticket',
        description:
          'One bicycle, one night. My bicycle was stolen the day I got this, so please enjoy it for me.',
      },
      {
        worth: '$30',
        title: 'Thirty back for a late train',
        description: 'They were four hours late and very polite about it.',
        terms: 'Valid for one new booking.',
      },
      {
        worth: '20%',
        title: '20% off for two on one ticket',
        description: 'Works in the seats too, not only the beds.',
      },
    ],
  },
  {
    name: 'Wander Hostels',
    category: 'travel',
    codes: 'WANDER@@##',
    offers: [
      {
        worth: '$16',
        title: 'One night in a dorm',
        description:
          "Any of their houses, not on New Year's Eve. I am over thirty and my back is over sixty.",
      },
      {
        worth: '10%',
        title: '10% off a week',
        description: 'Seven nights in one place. They have a kitchen where you make friends.',
      },
      {
        worth: '$8',
        title: 'Breakfast, three mornings',
        description: 'The good one with eggs. Left over from a trip that ended early.',
      },
      {
        worth: '25%',
        title: '25% off private rooms',
        description: 'From Sunday to Wednesday. The walls are thin, the people are lovely.',
        terms: 'Sunday to Wednesday nights.',
      },
      {
        worth: '$5',
        title: 'Walking tour',
        description: 'Five dollars off the tip-based tour, which is funny when you think about it.',
      },
    ],
  },
  {
    name: 'Coastline Ferries',
    category: 'travel',
    codes: 'CF-####-##',
    offers: [
      {
        worth: '$38',
        title: 'Car and driver, one way',
        description: 'Any crossing but the long one. I get seasick looking at the photograph.',
      },
      {
        worth: '$15',
        title: 'Foot passenger return',
        description: 'There and back within a month. Bring a windproof hat.',
      },
      {
        worth: '20%',
        title: '20% off island hopping',
        description: 'The five-day ticket. We did it in June and would do nothing else if we could.',
      },
      {
        worth: '$75',
        title: 'Overnight cabin, $75 off',
        description:
          'Outside cabin with a window. Refund for the storm night, and I have had enough of storms.',
        terms: 'Subject to availability, not in August.',
      },
      {
        worth: '10%',
        title: '10% off on board',
        description: 'Restaurant and shop. The fish soup is better than it has to be.',
      },
    ],
  },
  {
    name: 'ParkPoint Airport Parking',
    category: 'travel',
    codes: 'PP#########',
    offers: [
      {
        worth: '$30',
        title: '$30 off a week of parking',
        description: 'Shuttle included, four minutes. We take the train now.',
      },
      {
        worth: '20%',
        title: '20% off long stay',
        description: 'From ten days. Mine would expire before the next holiday.',
        expires: 21,
      },
      {
        worth: '$11',
        title: 'One day for nothing',
        description:
          'A single day, or the first of several. From the machine, when it ate my card and apologised.',
      },
      {
        worth: '15%',
        title: '15% off valet',
        description:
          'They take the keys at departures. I do not let anybody else drive my old car, it has tricks.',
        terms: 'Book 24 hours ahead.',
      },
      {
        worth: '$18',
        title: 'Car wash while you fly',
        description: 'You come back to a clean car. Mine is held together by the dirt.',
      },
    ],
  },
  {
    name: 'Bluebird Coaches',
    category: 'travel',
    codes: 'BB-@####',
    offers: [
      {
        worth: '$10',
        title: '$10 off any coach',
        description: 'Any route, one seat. My knees need a train.',
      },
      {
        worth: '50%',
        title: 'Friend rides half price',
        description: 'Two seats on one booking. Do bring a friend, it is a long ride to most places.',
      },
      {
        worth: '$26',
        title: 'Day trip to the coast',
        description:
          'Leaves at eight, back by nine in the evening. Was for the works outing that was cancelled.',
      },
      {
        worth: '15%',
        title: '15% off ten rides',
        description: 'The commuter card. I am at home three days a week now.',
        terms: 'Named card, valid for 90 days from first use.',
      },
      {
        worth: '$3',
        title: 'Seat reservation',
        description: 'The window at the front, upstairs. Small and lovely.',
      },
    ],
  },
];
