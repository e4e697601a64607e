import type { DemoMerchant } from './offer.ts';

/** What other people do better than oneself. */
export const SERVICES: readonly DemoMerchant[] = [
  {
    name: 'Crop & Comb Barbers',
    category: 'services',
    codes: 'CROP-###',
    offers: [
      {
        worth: '$10',
        title: '$10 off a cut',
        description: 'Any day but Saturday. I am going bald with dignity.',
        terms: 'Not on Saturdays.',
      },
      {
        worth: '$15',
        title: 'Hot towel shave',
        description: 'Fifteen off, and it is as good as it sounds. My beard stays, my wife decided.',
      },
      {
        worth: '20%',
        title: '20% off cut and beard',
        description: 'The full hour. They gave me two for moving my appointment.',
      },
      {
        worth: '$6',
        title: "Kids' cut, six off",
        description: 'They have a chair like a racing car. Ours is fifteen and was insulted.',
      },
      {
        worth: '25%',
        title: '25% off pomades',
        description: 'The whole shelf. See my other listing about the bald part.',
      },
    ],
  },
  {
    name: 'Studio Nine Hair',
    category: 'services',
    codes: 'S9@@@###',
    offers: [
      {
        worth: '$40',
        title: 'Colour, $40 off',
        description: 'With a cut. I have decided on grey and it is going well.',
      },
      {
        worth: '20%',
        title: '20% off your first visit',
        description: 'New clients. I have been there for nine years, since it opened.',
        terms: 'New clients only.',
      },
      {
        worth: '$12',
        title: 'Blow-dry before the party',
        description: 'Twelve off on a Friday or Saturday. My hair is two centimetres long.',
      },
      {
        worth: '15%',
        title: '15% off treatments',
        description: 'Masks, oils, whatever they do with the steam.',
      },
      {
        worth: '$65',
        title: 'Bridal trial',
        description:
          'They gave me a refund as a voucher when the date changed. The new date has another hairdresser.',
        expires: 84,
      },
    ],
  },
  {
    name: 'Ironworks Gym',
    category: 'services',
    codes: 'IRON-####-@@@@',
    offers: [
      {
        worth: '$49',
        title: 'First month free',
        description: 'For people who are not members yet. I am a member, in the passive sense.',
        terms: 'New members, minimum term three months.',
      },
      {
        worth: '$12',
        title: 'Day pass',
        description: 'Weights, pool, sauna. I got two at the fair and one was plenty.',
      },
      {
        worth: '30%',
        title: '30% off personal training',
        description: 'Three sessions. Mine shouted, kindly.',
      },
      {
        worth: '$20',
        title: 'Twenty off the joining fee',
        description: 'Goes with any plan. A friend gave it to me with a meaningful look.',
      },
      {
        worth: '10%',
        title: '10% off protein things',
        description: 'Shakes and bars at the desk. They taste of chalk and ambition.',
      },
    ],
  },
  {
    name: 'Calm Space Yoga',
    category: 'services',
    codes: 'CALM##@@##',
    offers: [
      {
        worth: '$18',
        title: 'Two drop-in classes',
        description: 'Any level, mats are there. I moved to the other end of town.',
      },
      {
        worth: '25%',
        title: '25% off a ten-class card',
        description: 'The card lasts half a year. Good teachers, no incense.',
      },
      {
        worth: '$35',
        title: 'Weekend workshop, $35 off',
        description: 'Back care, Saturday and Sunday morning. My back is better, perhaps because of them.',
        terms: 'Places are limited, register by e-mail.',
      },
      {
        worth: '15%',
        title: 'Prenatal course 15% off',
        description: 'Six evenings. Ours was born on week four.',
      },
      {
        worth: '$95',
        title: 'Silent retreat, $95 off',
        description: 'Two days without a word. My friends laughed when I opened the envelope.',
      },
    ],
  },
  {
    name: 'Sparkle Car Wash',
    category: 'services',
    codes: 'SPK-WASH-###',
    offers: [
      {
        worth: '$9',
        title: 'Wash and wax',
        description: 'The second programme. I sold the car.',
        expires: 8,
      },
      {
        worth: '$25',
        title: 'Inside and out, $25 off',
        description: 'They spend two hours on it. With our dog it would need four.',
      },
      {
        worth: '50%',
        title: 'Every second wash half price',
        description: 'A stamp card with one stamp on it. You will catch up.',
      },
      {
        worth: '20%',
        title: '20% off vans',
        description: 'High roofs up to 2.6 m. My band broke up, so no more van.',
        terms: 'Vehicles up to 2.6 m.',
      },
      {
        worth: '$5',
        title: 'Vacuum tokens',
        description: 'Five of them, old-fashioned brass. They fit in an envelope.',
        hasNoCode: true,
        expires: null,
      },
    ],
  },
  {
    name: 'FreshPress Dry Cleaning',
    category: 'services',
    codes: 'FP#####@',
    offers: [
      {
        worth: '$12',
        title: 'Two shirts a week, on us',
        description: 'Twelve dollars in all. I work in jumpers now.',
      },
      {
        worth: '30%',
        title: '30% off coats',
        description: 'End of winter deal. Mine is machine-washable, I hope.',
      },
      {
        worth: '$20',
        title: 'Wedding dress, twenty off',
        description: 'Cleaning and a box to keep it in. Wore it once, sold it since.',
      },
      {
        worth: '15%',
        title: '15% off curtains',
        description: 'They also hang them if you pay the driver a coffee.',
      },
      {
        worth: '10%',
        title: '10% off everything, ten times',
        description: 'Seven uses left. It sits in my wallet and stares at me.',
        terms: 'Ten uses, seven remaining.',
      },
    ],
  },
  {
    name: 'Handy Fox Repairs',
    category: 'services',
    codes: 'FOX-@@##-##',
    offers: [
      {
        worth: '$25',
        title: 'Cracked screen, $25 off',
        description: 'Most phones. I have become careful, or lucky.',
      },
      {
        worth: '$30',
        title: 'One hour of odd jobs',
        description:
          'Shelves, taps, the drawer that sticks. My brother-in-law came to stay and fixed it all.',
      },
      {
        worth: '15%',
        title: '15% off appliance repairs',
        description: 'Washing machines, dishwashers. Better than buying new, and he explains things.',
      },
      {
        worth: '$45',
        title: 'Battery and a clean for a laptop',
        description: 'Takes most of the price off. Mine went to the big cloud in the sky.',
        terms: 'Parts included for common models.',
      },
      {
        worth: '20%',
        title: '20% off bike repairs',
        description: 'Yes, he does those as well. Drop-off before ten.',
      },
    ],
  },
  {
    name: 'Still Waters Massage',
    category: 'services',
    codes: 'STILL###@',
    offers: [
      {
        worth: '$30',
        title: '$30 off an hour',
        description:
          'Any kind they offer. A present from my team, but I do not like being touched by strangers.',
      },
      {
        worth: '$15',
        title: 'Quarter of an hour in the chair',
        description: 'Lunch break sort of thing, clothes on. I have moved to another floor of life.',
      },
      {
        worth: '20%',
        title: '20% off for two',
        description: 'Same room, same time. We tried and giggled throughout.',
        terms: 'By appointment, Tuesday to Saturday.',
      },
      {
        worth: '$80',
        title: 'Hot stone afternoon, $80 off',
        description: 'Ninety minutes and tea. Won it at the tennis club and I would rather have rackets.',
      },
      {
        worth: '25%',
        title: '25% off sports massage',
        description: 'Runners love her. I have stopped pretending to be one.',
      },
    ],
  },
];
