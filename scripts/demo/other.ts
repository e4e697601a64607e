import type { DemoMerchant } from './offer.ts';

/** What fits nowhere else. */
export const OTHER: readonly DemoMerchant[] = [
  {
    name: 'Printorama',
    category: 'other',
    codes: 'PRNT-####-####',
    offers: [
      {
        worth: '$20',
        title: 'Photo book, $20 off',
        description:
          'Hardcover, from forty pages. I have been meaning to make one since 2019, so let us be honest.',
      },
      { worth: '40%', title: '40% off canvas prints', description: 'All sizes. My walls are rented.' },
      {
        worth: '$5',
        title: 'Fifty prints',
        description: 'The ordinary size, matt or glossy. It takes ten minutes and grandparents cry.',
      },
      {
        worth: '25%',
        title: '25% off calendars',
        description: 'Order before the rush. We make ours by hand with the kids.',
        expires: 44,
      },
      {
        worth: '$3.50',
        title: 'Passport photos, a bit cheaper',
        description: 'Three fifty off the set of four. I look like a suspect in mine, you may fare better.',
      },
    ],
  },
  {
    name: 'Crafted Evenings',
    category: 'other',
    codes: 'CE-@@@-@@',
    offers: [
      {
        worth: '$35',
        title: 'Pottery for beginners, $35 off',
        description: 'Two evenings, you take home a bowl. Mine looks like a hat, and I am wearing it.',
      },
      {
        worth: '20%',
        title: '20% off cooking classes',
        description: 'Pasta, dumplings, bread. Singles and couples alike.',
        terms: 'Materials included, drinks not.',
      },
      {
        worth: '$50',
        title: 'Blacksmith for a day',
        description:
          'Fifty off, and you make a knife or a hook. I burnt my eyebrows at a barbecue and take the hint.',
      },
      {
        worth: '15%',
        title: '15% off watercolour Sundays',
        description: 'Four Sundays, all paper included. I work Sundays.',
      },
      {
        worth: '$12',
        title: 'Candle making, twelve off',
        description: 'A good rainy afternoon with a friend.',
      },
    ],
  },
  {
    name: 'LinguaLoft',
    category: 'other',
    codes: 'LOFT#@#@#@',
    offers: [
      {
        worth: '$30',
        title: 'A month of conversation classes',
        description: 'Thirty off, small groups, online. I passed the exam, so I am told I can speak.',
      },
      {
        worth: '50%',
        title: 'Half off the app for a year',
        description: 'Twelve languages, all of them. I already argue with my phone enough.',
      },
      {
        worth: '$15',
        title: 'Exam practice paper',
        description: 'Marked by a real person with a red pen. From a bundle I did not use up.',
      },
      {
        worth: '20%',
        title: '20% off intensive week',
        description: 'Five mornings in a row. My boss would like me to be at work.',
        terms: 'Starts on the first Monday of the month.',
      },
      {
        worth: '$8',
        title: 'One hour with a tutor',
        description: 'Any language they teach, any hour. Good for a shy start.',
      },
    ],
  },
];
