import type { PaymentProviderName } from '#contract/sellers.ts';

/** Who can be paid, through whom. */
export interface DemoSeller {
  readonly username: string;
  readonly through: readonly PaymentProviderName[];
  /** They have left the provider's pages half way. */
  readonly isUnfinished?: true;
}

export const SELLERS: readonly DemoSeller[] = [
  { username: 'maple_mia', through: ['stripe'] },
  { username: 'theo.trades', through: ['stripe'] },
  { username: 'sofia_snips', through: ['stripe'] },
  { username: 'kenji-k', through: ['paypal'] },
  { username: 'lukas_b', through: ['stripe', 'paypal'] },
  { username: 'tom.brisbane', through: ['stripe'] },
  { username: 'camille.v', through: ['stripe'], isUnfinished: true },
  { username: 'lindiwe-m', through: ['paypal'] },
  { username: 'NoraFromOslo', through: ['paypal'] },
  { username: 'sam_the_saver', through: ['stripe'] },
  { username: 'grandma.jo', through: ['stripe'] },
  { username: 'hanneke_fietst', through: ['stripe'] },
  { username: 'marco-p', through: ['stripe'] },
];
