/** How a bid ends, or where it stands. */
export type DemoBidEnding =
  | 'pending'
  /** Accepted, to be paid. */
  | 'accepted'
  | 'rejected'
  | 'withdrawn'
  /** Nobody answered in time; nobody paid in time. */
  | 'unanswered'
  | 'unpaid'
  /** Paid: the money is held, the buyer has confirmed, or has let the time pass. */
  | 'held'
  | 'confirmed'
  | 'released'
  /** Paid, and the code did not work: a moderator has still to decide, or has decided. */
  | 'claimed'
  | 'refunded'
  | 'claim refused';

export interface DemoBid {
  readonly ending: DemoBidEnding;
  /** Days ago that it was placed. */
  readonly placed: number;
  readonly by: string;
  readonly to: string;
  /** A decimal text in CAD. */
  readonly amount: string;
  readonly message?: string;
  /** Others who bid on the same coupon before it is decided. */
  readonly rivals?: readonly { readonly by: string; readonly amount: string; readonly message?: string }[];
  readonly provider?: 'stripe' | 'paypal';
  /** What the buyer says of a code that does not work, and a moderator of that. */
  readonly claim?: string;
  readonly note?: string;
}

/** Who can be paid through whom. */
export const SELLERS: readonly {
  readonly username: string;
  readonly providers: readonly ('stripe' | 'paypal')[];
}[] = [
  { username: 'maple_mia', providers: ['stripe', 'paypal'] },
  { username: 'theo.trades', providers: ['stripe'] },
  { username: 'sofia_snips', providers: ['stripe'] },
  { username: 'kenji-k', providers: ['paypal'] },
  { username: 'amara.o', providers: ['stripe'] },
  { username: 'tom.brisbane', providers: ['stripe'] },
  { username: 'grandma.jo', providers: ['stripe'] },
  { username: 'NoraFromOslo', providers: ['paypal'] },
  { username: 'lindiwe-m', providers: ['stripe'] },
];

/** Who decides claims in the demo. */
export const MODERATOR = 'old_peter';

export const BIDS: readonly DemoBid[] = [
  {
    ending: 'pending',
    placed: 1.2,
    by: 'priya-picks',
    to: 'maple_mia',
    amount: '9.50',
    message: 'I would use it this very weekend.',
    rivals: [
      { by: 'sam_the_saver', amount: '11.00', message: 'Eleven, and a warm feeling.' },
      { by: 'hugo99', amount: '6.00' },
    ],
  },
  {
    ending: 'pending',
    placed: 0.6,
    by: 'big_al_1961',
    to: 'maple_mia',
    amount: '14.25',
    message: 'For the wife. Do not tell her what I paid.',
  },
  { ending: 'pending', placed: 2.4, by: 'maple_mia', to: 'sofia_snips', amount: '8.00' },
  {
    ending: 'pending',
    placed: 3.1,
    by: 'elif.c',
    to: 'amara.o',
    amount: '5.50',
    message: 'It is not much, but it is today.',
    rivals: [{ by: 'marco-p', amount: '7.00' }],
  },
  { ending: 'pending', placed: 1.9, by: 'petra_n', to: 'tom.brisbane', amount: '12.00' },
  {
    ending: 'accepted',
    placed: 1.1,
    by: 'maple_mia',
    to: 'theo.trades',
    amount: '12.50',
    message: 'A birthday present for somebody who has everything but this.',
    rivals: [{ by: 'lukas_b', amount: '10.00' }],
  },
  {
    ending: 'accepted',
    placed: 1.3,
    by: 'yuna.park',
    to: 'lukas_b',
    amount: '6.40',
    message: 'Happy to wait until you have set up your account.',
  },
  { ending: 'rejected', placed: 9, by: 'freya_s', to: 'grandma.jo', amount: '3.00', message: 'All I have.' },
  { ending: 'rejected', placed: 5, by: 'maple_mia', to: 'tom.brisbane', amount: '4.00' },
  { ending: 'withdrawn', placed: 12, by: 'ines-ribeiro', to: 'kenji-k', amount: '9.00' },
  { ending: 'withdrawn', placed: 4, by: 'raj.in.leeds', to: 'lindiwe-m', amount: '7.70' },
  { ending: 'unanswered', placed: 10, by: 'aisha_reads', to: 'amara.o', amount: '4.50' },
  { ending: 'unpaid', placed: 13, by: 'gilles-moto', to: 'theo.trades', amount: '15.00' },
  {
    ending: 'held',
    placed: 1.8,
    by: 'maple_mia',
    to: 'grandma.jo',
    amount: '10.00',
    message: 'Is it as good as you say?',
  },
  { ending: 'held', placed: 1.5, by: 'wei.collects', to: 'maple_mia', amount: '13.30' },
  { ending: 'confirmed', placed: 21, by: 'camille.v', to: 'amara.o', amount: '18.00' },
  { ending: 'confirmed', placed: 17, by: 'maple_mia', to: 'lindiwe-m', amount: '11.11' },
  { ending: 'confirmed', placed: 25, by: 'hanneke_fietst', to: 'sofia_snips', amount: '7.25' },
  {
    ending: 'confirmed',
    placed: 14,
    by: 'beth-and-dogs',
    to: 'kenji-k',
    amount: '16.00',
    provider: 'paypal',
  },
  { ending: 'released', placed: 19, by: 'dmitri.k', to: 'theo.trades', amount: '20.00' },
  { ending: 'released', placed: 11, by: 'nomvula', to: 'theo.trades', amount: '9.90' },
  {
    ending: 'released',
    placed: 28,
    by: 'joao_do_bem',
    to: 'NoraFromOslo',
    amount: '22.00',
    provider: 'paypal',
  },
  {
    ending: 'claimed',
    placed: 2.2,
    by: 'ciaran.w',
    to: 'grandma.jo',
    amount: '8.80',
    claim: 'The till says that it was used in another branch last week.',
  },
  {
    ending: 'refunded',
    placed: 15,
    by: 'zofia.k',
    to: 'sofia_snips',
    amount: '6.60',
    claim: 'They told me that this offer ended a month before it says.',
    note: 'The shop confirms it. Nobody’s fault; everybody gets back what was theirs.',
  },
  {
    ending: 'claim refused',
    placed: 18,
    by: 'manuel.ch',
    to: 'lindiwe-m',
    amount: '5.00',
    claim: 'I changed my mind about it, it is a long way to go.',
    note: 'The code works, and that is what is protected.',
  },
];
