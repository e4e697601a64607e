import { promise, type Target, textTarget } from './target.ts';

const usual = { seeds: ['a,b'], parts: ['a', ','], longest: 20_000 };

/** Parsers with faults, which the search has to find. The last one never ends. */
export const PLANTED: readonly Target[] = [
  textTarget({ ...usual, name: 'throws', read: (text) => JSON.parse(`"${text}"`) }),
  textTarget({
    ...usual,
    name: 'breaks a promise',
    read: (text) => promise(!text.endsWith(','), 'it has an end'),
  }),
  textTarget({ ...usual, name: 'rejects', read: async (text) => promise(text.length > 1, 'it is long') }),
  textTarget({ ...usual, name: 'grows', read: (text) => /a+c/.test(text) }),
  textTarget({ ...usual, name: 'hangs', read: (text) => /^(?:a|aa)+$/.test(text) }),
];
