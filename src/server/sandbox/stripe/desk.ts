import type { Shelves } from './objects.ts';
import type { Webhooks } from './webhooks.ts';

/** What every part of the sandbox works with. */
export interface Desk {
  readonly shelves: Shelves;
  readonly webhooks: Webhooks;
  /** Under which the browser reaches /browser/*. */
  readonly browserUrl: () => string;
  /** Lets a payment that is 'processing' succeed after a while. */
  readonly finishLater: (intentId: string) => void;
}
