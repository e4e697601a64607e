import type { DemoMerchant } from './offer.ts';

/** Evenings and weekends out, and one evening in. */
export const ENTERTAINMENT: readonly DemoMerchant[] = [
  {
    name: 'Aurora Cinemas',
    category: 'entertainment',
    codes: 'AUR-####-####-##',
    offers: [
      {
        worth: '$14',
        title: 'One ticket, any film',
        description:
          'Any seat but the recliners. It came with my phone contract and I fall asleep in cinemas.',
      },
      {
        worth: '$24',
        title: 'Two tickets, any weeknight',
        description: 'Monday to Thursday. We finally have a babysitter and she only works Fridays.',
        terms: 'Monday to Thursday, 3D surcharge not included.',
      },
      {
        worth: '50%',
        title: 'Half price popcorn combo',
        description: 'Large popcorn and two drinks. The sweet and salty mix is allowed.',
      },
      {
        worth: '$9',
        title: 'Senior matinee',
        description:
          'Before three in the afternoon, coffee included. My dad passed it on, he prefers his armchair.',
        terms: 'For guests over 60.',
      },
      {
        worth: '20%',
        title: '20% off a hired screen',
        description: 'You get a whole small hall for a birthday. We went bowling in the end.',
      },
    ],
  },
  {
    name: 'Back Room Comedy Club',
    category: 'entertainment',
    codes: 'HAHA###@',
    offers: [
      {
        worth: '$18',
        title: 'Open mic for two',
        description: 'Two seats, anything may happen. I was on the bill once and have retired undefeated.',
      },
      {
        worth: '25%',
        title: '25% off the Friday show',
        description: 'Book by phone and say the code. Front row at your own risk.',
      },
      {
        worth: '$10',
        title: 'Ten off with a drink',
        description:
          'Ten off a ticket if you buy a drink, also a soft one. I moved to the country, where the jokes are older.',
      },
      {
        worth: '30%',
        title: 'Group of six, 30% off',
        description: 'My group is four people and a dog. Yours may be larger.',
        terms: 'Six tickets or more in one booking.',
      },
      {
        worth: '$32',
        title: 'Improv course taster',
        description: 'An evening on stage with kind people. Team building gift, and I have had enough team.',
      },
    ],
  },
  {
    name: 'Tidewater Museum',
    category: 'entertainment',
    codes: 'TWM######',
    offers: [
      {
        worth: '$22',
        title: 'Family day ticket',
        description: 'Two grown-ups and up to three children. The whale skeleton is worth it by itself.',
        hasNoCode: true,
      },
      {
        worth: '50%',
        title: 'Half off the special exhibition',
        description: 'The one about maps. I went on opening night and would go again if I had the time.',
      },
      {
        worth: '$60',
        title: 'Annual pass, $60 off',
        description:
          'For one person for a year from the first visit. Won in their quiz, but I work there, which is a bit awkward.',
        terms: 'Named pass, photograph required.',
      },
      {
        worth: '15%',
        title: '15% off the museum shop',
        description: 'Posters, books, the good pencils. No entry ticket needed.',
      },
      {
        worth: '$8',
        title: 'Audio guide for two',
        description: 'Two headsets, eight languages. I read the signs like an old person.',
      },
    ],
  },
  {
    name: 'Gravity Bowl',
    category: 'entertainment',
    codes: 'GRAV-@#@#',
    offers: [
      {
        worth: '$20',
        title: 'One hour on a lane',
        description: 'Up to six players, shoes are extra. My wrist says no.',
      },
      {
        worth: '$5',
        title: 'Shoe hire for nothing',
        description: 'For two people. They are not pretty, but they are free.',
      },
      {
        worth: '30%',
        title: '30% off before six',
        description: 'Any weekday. Would suit a class or a club.',
        terms: 'Weekdays before 18:00.',
      },
      {
        worth: '$48',
        title: 'Birthday lane with pizza',
        description:
          'Eight children, ninety minutes, two big pizzas. Ours turned sixteen and would rather die.',
      },
      {
        worth: '15%',
        title: 'Late night 15%',
        description: 'After ten, with the lights off and the music on.',
        expires: 27,
      },
    ],
  },
  {
    name: 'StreamNest',
    category: 'entertainment',
    codes: 'SN@@@@-@@@@-####',
    offers: [
      {
        worth: '$17',
        title: 'One month, all channels',
        description: 'Works on a new or a paused account. I have more films than evenings.',
      },
      {
        worth: '$45',
        title: 'Three months of the family plan',
        description: 'Five screens at once. We share with the in-laws already.',
        terms: 'Not combinable with a running trial.',
      },
      {
        worth: '40%',
        title: '40% off a year',
        description: 'You pay once and it is done. I signed up the day before this arrived, so it is yours.',
      },
      {
        worth: '$6',
        title: 'Two film rentals',
        description: 'New releases are included. The credit never ends, they told me.',
        expires: null,
      },
      {
        worth: '25%',
        title: '25% off the sports add-on',
        description: 'For half a season. My team got relegated and so did my interest.',
      },
    ],
  },
  {
    name: 'Moonlight Theatre',
    category: 'entertainment',
    codes: 'MOON-####',
    offers: [
      {
        worth: '$40',
        title: 'Two seats in the stalls, $40 off',
        description: 'Any play in the repertoire. We are subscribers and have our own seats.',
      },
      {
        worth: '20%',
        title: '20% off musicals',
        description: 'Tuesday and Wednesday evenings. Bring a handkerchief.',
        terms: 'Tuesday and Wednesday performances.',
      },
      {
        worth: '$12',
        title: 'Rush ticket',
        description: 'Collect at the box office an hour before. I live too far out to gamble on it.',
      },
      {
        worth: '50%',
        title: 'Half price for under 25',
        description: 'My daughter used one, this is the second. They look at the ID.',
      },
      {
        worth: '$15',
        title: 'Backstage tour',
        description:
          'Ninety minutes behind the curtain on a Sunday morning. I did it last month and still talk about it.',
      },
    ],
  },
  {
    name: 'Puzzle Vault Escape Rooms',
    category: 'entertainment',
    codes: 'VAULT@@@##',
    offers: [
      {
        worth: '$30',
        title: '$30 off a room for four',
        description: 'Any room but the new one. We got locked in emotionally the last time.',
      },
      {
        worth: '15%',
        title: '15% off weekday mornings',
        description: 'Good for remote workers with a boss who does not look.',
      },
      {
        worth: '$10',
        title: 'Ten off, any team',
        description: 'They text it to you after a game. My team has split over who lost the key.',
      },
      {
        worth: '25%',
        title: 'Company event 25% off',
        description: 'From twelve people. Mine chose axe throwing.',
        terms: 'Groups of 12 or more, invoice possible.',
      },
      {
        worth: '$55',
        title: 'Whole room, birthday special',
        description: 'Up to six people, with a cake on the table when you make it out.',
        expires: 30,
      },
    ],
  },
  {
    name: 'Splash Harbour Water Park',
    category: 'entertainment',
    codes: 'SPLASH####@@',
    offers: [
      {
        worth: '$19',
        title: 'Day ticket, one child',
        description: 'Under twelve. Ours broke an arm, so no slides this season.',
      },
      {
        worth: '$70',
        title: 'Family of four, $70 off',
        description:
          'All pools, all slides, parking extra. Ours have decided that they are too old for slides.',
        terms: 'Two adults and two children under 15.',
      },
      {
        worth: '20%',
        title: "20% off after four o'clock",
        description: 'The last hours are the best, the queue is gone.',
      },
      {
        worth: '$7',
        title: 'Locker and a float',
        description: 'Saves the small things that add up. Left from last summer and still good.',
      },
      {
        worth: '10%',
        title: '10% off swimming lessons',
        description: 'Course of eight. I learned in a lake, from my brother, by being thrown in.',
      },
    ],
  },
  {
    name: 'Tempo Hall',
    category: 'entertainment',
    codes: 'TEMPO-@@-###',
    offers: [
      {
        worth: '$28',
        title: 'Jazz night for two',
        description: 'Table seats, first set at nine. We are early birds, tragically.',
      },
      {
        worth: '15%',
        title: '15% off any concert',
        description: 'Not the sold-out ones, obviously. From the newsletter.',
      },
      {
        worth: '$50',
        title: 'Balcony seat, classical series',
        description: 'Four dates to choose from. I inherited it from my aunt and I am more of a drummer.',
      },
      {
        worth: '$6',
        title: 'Cloakroom and a programme',
        description: 'For two people. A small thing for a swap that nearly fits.',
      },
      {
        worth: '35%',
        title: '35% off last-minute seats',
        description: 'On the day itself, from noon. For a short while only.',
        expires: 15,
      },
    ],
  },
];
