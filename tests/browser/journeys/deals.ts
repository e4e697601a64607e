import { TEXTS } from '#contract/base/texts.ts';
import { all, check, dialog, fill, follow, go, press, pressFirst } from './acts.ts';
import type { Journey, JourneyMarket } from './market.ts';

const whyItFails = all(press('The code does not work'), fill('What happened?', 'The till did not take it.'));

/** Bidding, paying and swapping, and what follows. */
export function dealJourneys({ people: { ana, admin }, ...market }: JourneyMarket): Journey[] {
  const { tea, cake, swap, bids, due, paid } = market;
  const received = (bid = 0) => `/my-bids?tab=received&bid=${bid}`;
  return [
    {
      name: 'bids and buys',
      who: ana,
      steps: [
        {
          ready: all(go(`/coupons/${tea}`), pressFirst('Bid'), fill('Your bid (CAD)', '12.50')),
          act: press('Place bid'),
          done: 'Bid placed',
        },
        {
          ready: all(go(`/coupons/${cake}`), pressFirst('Buy now'), dialog('Buy now')),
          act: press('Buy now'),
          done: 'Payment',
        },
      ],
    },
    {
      name: 'answers bids',
      who: ana,
      steps: [
        {
          ready: go('/terms'),
          act: follow('/my-bids?tab=received'),
          done: 'Lamp',
        },
        {
          ready: all(go(received(bids[0])), press(/^Counter/), fill('You ask (CAD)', '15')),
          act: press('Send counter-offer'),
          done: 'Counter-offer sent',
        },
        {
          ready: all(go(received(bids[1])), press(/^Accept/), dialog(/^Accept/)),
          act: press(/^Accept/),
          done: /Bid (updated|accepted)/,
        },
      ],
    },
    {
      name: 'pays',
      who: ana,
      steps: [
        {
          ready: go('/terms'),
          act: follow(`/checkout/${due.byPaypal}`),
          done: /Buyer fee/,
          isByItself: true,
        },
        {
          ready: all(
            go(`/checkout/${due.byCard}`),
            fill('Card number', '4242424242424242'),
            fill(/Expiration/, '1240'),
            fill('Security code', '123'),
          ),
          act: press(/^Pay \$/),
          done: TEXTS.paymentResult.successfulText(),
        },
        {
          ready: all(go(`/checkout/${due.byPaypal}`), press('PayPal', 'tab')),
          act: press('Pay with PayPal'),
          done: all(press('Pay now'), (page) =>
            page.getByText(TEXTS.paymentResult.successfulText()).first().waitFor(),
          ),
        },
        {
          ready: go('/terms'),
          act: follow(`/payment-complete?bid=${paid.works}&paypal=1`),
          said: /You are offline. We check it when you are back online/,
          done: TEXTS.paymentResult.successfulText(),
          isByItself: true,
        },
        {
          ready: all(go(`/my-bids?bid=${paid.works}`), press('The code works')),
          act: press('Pay the seller'),
          done: 'Thank you',
        },
        {
          ready: all(go(`/my-bids?bid=${paid.fails}`), whyItFails),
          act: press('Send claim'),
          done: 'Claim sent',
        },
      ],
    },
    {
      name: 'swaps, writes, rates and claims',
      who: ana,
      steps: [
        {
          ready: go(`/coupons/${tea}`),
          act: pressFirst('Exchange'),
          done: 'Bread',
          isByItself: true,
        },
        {
          ready: all(
            (page) => page.getByRole('checkbox', { name: /Bread/ }).check(),
            fill('Message', 'Soup for tea?'),
          ),
          act: press('Send exchange request'),
          done: 'Exchange request sent',
        },
        {
          ready: all(go(`/exchanges?exchange=${swap}`), press(/^Accept/), dialog('Accept exchange')),
          act: press('Accept'),
          done: TEXTS.exchanges.updated(),
        },
        {
          ready: go('/terms'),
          act: follow(`/messages?exchange=${swap}`),
          done: /^Exchange #/,
          isByItself: true,
        },
        {
          ready: fill('Message to ben', 'Is it still good?'),
          act: press('Send'),
          again: press('Retry'),
          done: TEXTS.messages.sent(),
        },
        {
          ready: all(go(`/exchanges?exchange=${swap}`), press(/^Complete/), dialog(/Complete/)),
          act: press('Complete Exchange'),
          done: TEXTS.exchanges.updated(),
        },
        {
          ready: all(
            go(`/exchanges?exchange=${swap}`),
            check('9 of 10'),
            fill('In your words', 'Quick and kind.'),
          ),
          act: press('Send rating'),
          done: 'Thank you for rating',
        },
        { ready: whyItFails, act: press('Send claim'), done: 'Claim sent' },
      ],
    },
    {
      name: 'matches and wishes',
      who: ana,
      steps: [
        {
          ready: all(go('/matches'), press('Exchange'), fill('Message', 'A ring of three?')),
          act: press('Send exchange request'),
          done: 'Exchange request sent',
        },
        {
          ready: all(go('/?q=kettle'), press('Alert me'), dialog('Alert me')),
          act: check('Some of mine'),
          done: 'Coupons that I would give',
        },
        {
          ready: all(go('/?q=kettle'), press('Alert me'), dialog('Alert me')),
          act: press('Alert me'),
          done: 'Wish saved',
        },
        { ready: go('/wants'), act: press(/^Pause/), done: 'Paused' },
        {
          ready: all(press(/^Delete/), dialog('Delete this wish?')),
          act: press('Delete'),
          done: 'Wish deleted',
        },
      ],
    },
    {
      name: 'moderates',
      who: admin,
      steps: [
        {
          ready: go('/terms'),
          act: follow('/admin-reports'),
          done: 'Review',
        },
        {
          ready: go('/admin-reports'),
          act: pressFirst(/^Record of/),
          done: 'Member since',
        },
        {
          ready: all(go('/admin-reports'), press(/^Review/), check('Dismiss Report')),
          act: press('Dismiss Report'),
          done: 'Report reviewed',
        },
        {
          ready: all(go('/claims'), pressFirst(/^Decide/), check(/^Pay /), fill('Why', 'The code was good.')),
          act: press('Confirm decision'),
          done: 'Claim decided',
        },
        {
          ready: all(
            go('/admin?tab=people'),
            pressFirst(/^Change status/),
            check('Warned'),
            fill('Reason', 'Please be on time.'),
          ),
          act: press('Change status'),
          done: 'Status changed',
        },
      ],
    },
  ];
}
