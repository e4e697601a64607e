import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { personOf } from './deals.ts';
import { ask, type Request } from './load.ts';

/** What people do in a market: how many of a hundred requests are each, and such a request. */
interface Kind {
  readonly name: string;
  readonly share: number;
  /** @param nth the number of the request, and so who asks for what */
  readonly request: (url: string, nth: number) => Request;
}

/** A number below `most` that follows from another one, and looks like chance. */
const among = (nth: number, most: number) => (nth * 7919) % most;

const SORTS = ['newest', 'expiry', 'value-high', 'reliable'];
const CATEGORIES = ['food', 'retail', 'entertainment', 'travel', 'services'];

const post = (url: string, path: string, deal: number, input: object): Request => ({
  url: `${url}/api/trpc/${path}`,
  body: JSON.stringify(input),
  cookie: personOf('requester', deal).cookie,
});

/** @param size the number of coupons @param deals the number of deals whose people bid and write */
export const mixOf = (size: number, deals: number): readonly Kind[] => [
  { name: 'the newest page', share: 30, request: (url) => ({ url: `${url}/api/coupons` }) },
  {
    name: 'a category in some order',
    share: 20,
    request: (url, nth) => ({
      url: `${url}/api/coupons?category=${CATEGORIES[among(nth, 5)]}&sort=${SORTS[among(nth, 4)]}`,
    }),
  },
  {
    name: 'a search',
    share: 10,
    request: (url, nth) => ({ url: `${url}/api/coupons?search=${among(nth, size)}` }),
  },
  {
    name: 'a coupon',
    share: 30,
    request: (url, nth) => ({ url: `${url}/api/coupons/${1 + among(nth, size)}` }),
  },
  {
    name: 'a bid',
    share: 5,
    request: (url, nth) =>
      post(url, 'bids.place', 1 + (nth % deals), {
        // Every tenth has no end.
        couponId: 10 * (1 + among(nth, Math.floor(size / 10))),
        amount: '5.00',
        message: null,
      }),
  },
  {
    name: 'a message',
    share: 5,
    request: (url, nth) => {
      const deal = 1 + (nth % deals);
      return post(url, 'messages.send', deal, {
        dealType: 'exchange',
        dealId: personOf('requester', deal).exchangeId,
        content: `Is it still to be had? ${nth}`,
      });
    },
  },
];

/** How long the answers of one kind took, in milliseconds. */
interface MixRow extends Pick<Kind, 'name' | 'share'> {
  readonly answers: number;
  /** Of these, with a refusal, such as a bid on an expired coupon, or that the server is too busy. */
  readonly refused: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
}

export interface MixFindings {
  /** Answers in a second when more is asked at once. */
  readonly capacity: number;
  readonly rows: readonly MixRow[];
}

/** The kinds in the order in which a hundred requests ask for them, mixed. */
const orderOf = (mix: readonly Kind[]) => {
  const hundred = mix.flatMap((kind) => Array<Kind>(kind.share).fill(kind));
  return hundred.map((_, at) => hundred[(at * 37) % hundred.length]).filter((kind) => kind !== undefined);
};

/** Asks once. @returns whether it was answered with what was asked for, and not with a refusal or that the server is too busy */
const isAnswered = (agent: Agent, request: Request) => ask(agent, request).catch(() => false);

/** Asks with 16 at once for `milliseconds`. @returns answers in a second */
async function capacityOf(url: string, order: readonly Kind[], milliseconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const begun = performance.now();
  let [next, answers] = [0, 0];
  const lane = async () => {
    while (performance.now() - begun < milliseconds) {
      const nth = next;
      next += 1;
      const kind = order[nth % order.length];
      if (kind && (await isAnswered(agent, kind.request(url, nth)))) answers += 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  agent.destroy();
  return (1_000 * answers) / (performance.now() - begun);
}

/**
 * Asks at half of what the server can answer, at times that do not wait for answers, and says how long each kind took. A time
 * begins when the request was due.
 */
export async function measureMix(
  url: string,
  mix: readonly Kind[],
  milliseconds: number,
): Promise<MixFindings> {
  const order = orderOf(mix);
  const capacity = await capacityOf(url, order, Math.min(20_000, milliseconds));
  const every = 2_000 / capacity;
  const times = new Map(mix.map(({ name }) => [name, [] as number[]]));
  const refused = new Map(mix.map(({ name }) => [name, 0]));
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const under = new Set<Promise<void>>();
  const begun = performance.now();
  // At least once for each of the hundred.
  for (let nth = 0; nth < order.length || nth * every < milliseconds; nth += 1) {
    const due = begun + nth * every;
    if (due > performance.now()) await sleep(due - performance.now());
    const kind = order[nth % order.length];
    if (!kind) continue;
    // Other numbers than those by which the capacity was found.
    const one = isAnswered(agent, kind.request(url, nth + 1_000_003)).then((isDone) => {
      if (!isDone) refused.set(kind.name, (refused.get(kind.name) ?? 0) + 1);
      times.get(kind.name)?.push(performance.now() - due);
      under.delete(one);
    });
    under.add(one);
  }
  await Promise.all(under);
  agent.destroy();
  const at = (sorted: readonly number[], part: number) =>
    sorted[Math.floor(part * sorted.length)] ?? Number.NaN;
  const rows = mix.map(({ name, share }) => {
    const sorted = (times.get(name) ?? []).toSorted((one, other) => one - other);
    const [p50, p99, p999] = [at(sorted, 0.5), at(sorted, 0.99), at(sorted, 0.999)];
    return { name, share, answers: sorted.length, refused: refused.get(name) ?? 0, p50, p99, p999 };
  });
  return { capacity, rows };
}
