/** A call that is measured. */
export interface Measure {
  readonly name: string;
  readonly rest: string;
  /** The procedure and its input; tRPC's browser client asks so. */
  readonly trpc: readonly [procedure: string, input: object];
  /** The share of the bare server's requests per second that we aim for. */
  readonly goal: number;
  /** The same, of the bare server with prepared statements. */
  readonly goalOfNamed: number;
  /** How many times its latency at a million coupons may be that at ten thousand. */
  readonly flatness: number;
}

function list(
  name: string,
  query: Record<string, string>,
  goals: readonly [plain: number, named: number],
  flatness: number,
): Measure {
  const search = new URLSearchParams(query).toString();
  const [goal, goalOfNamed] = goals;
  const rest = search === '' ? '/api/coupons' : `/api/coupons?${search}`;
  return { name, rest, trpc: ['coupons.list', query], goal, goalOfNamed, flatness };
}

/** docs/performance.md lists what is found next to these goals. */
export const MEASURES: readonly Measure[] = [
  list('newest page', {}, [0.8, 0.4], 1.35),
  list('a category', { category: 'travel' }, [0.8, 0.4], 1.35),
  list('a common word', { search: 'pizza' }, [0.6, 0.4], 1.35),
  list('a rare word', { search: 'number 4710 at' }, [0.6, 0.4], 1.35),
  list('a rare text of common parts', { search: 'branch number' }, [0.6, 0.4], 2),
  list('one merchant', { merchant: 'shop 7' }, [0.6, 0.4], 1.5),
  {
    name: 'one coupon',
    rest: '/api/coupons/1',
    trpc: ['coupons.byId', { id: 1 }],
    goal: 0.9,
    goalOfNamed: 0.5,
    flatness: 1.35,
  },
];

/** The address of a measure at one of the APIs. */
export function addressOf({ rest, trpc: [procedure, input] }: Measure, api: 'REST' | 'tRPC'): string {
  return api === 'REST' ? rest : `/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;
}
