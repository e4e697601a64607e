import { describe, expect, it } from 'vitest';
import { misplaced, placesOf, type Rule, rulesIn } from './spec-rules.ts';

const RULES = new Map<string, Rule>([
  ['spec/1 2.1', { text: 'A link', places: ['header'], size: 'phone', people: ['member'] }],
  ['spec/1 2.2', { text: 'A page', places: ['home'], size: 'any', people: ['visitor', 'admin'] }],
  ['spec/1 2.3', { text: 'A text', places: ['home'], size: 'any', people: ['any'] }],
]);

/** Not written out, because `npm run spec` reads the tags of this file as well. */
const tag = (numbers: string, document = 'spec/1') => `[${document} ${numbers}]`;

it('a title names rules of several documents', () => {
  expect(rulesIn(`shows all ${tag('2.1 2.2')} ${tag('3.4.5', 'decisions')}`)).toEqual([
    'spec/1 2.1',
    'spec/1 2.2',
    'decisions 3.4.5',
  ]);
});

describe('a test with the tag of a rule', () => {
  it.each([
    [tag('2.1'), { role: 'user', width: 390 }, null],
    [tag('2.1'), { role: null, width: 390 }, 'spec/1 2.1 is about a member; this test renders for a visitor'],
    [tag('2.1'), { role: 'user', width: 1280 }, 'spec/1 2.1 is about a phone; this test renders 1280 px'],
    [tag('2.2'), { role: null, width: 390 }, null],
    [
      tag('2.2'),
      { role: 'user', width: 390 },
      'spec/1 2.2 is about a visitor or admin; this test renders for user',
    ],
    [tag('2.3'), { role: 'moderator', width: 1280 }, null],
    [
      tag('2.3 2.1'),
      { role: null, width: 390 },
      'spec/1 2.1 is about a member; this test renders for a visitor',
    ],
    ['without one', { role: null, width: 390 }, null],
  ] as const)('%s rendered as %j: %s', (title, seen, fault) => {
    expect(misplaced(RULES, title, seen)).toBe(fault);
  });
});

describe('the places of a test file', () => {
  it('are the pages and components that it imports, also by helpers, and the module beside it', () => {
    expect([...placesOf('src/web/deals/bids/bids-page.test.tsx')]).toContain('my-bids');
    expect([...placesOf('src/web/components/coupon-ticket.test.tsx')]).toContain('coupon-ticket');
    expect([...placesOf('src/web/deals/exchanges/sides.test.ts')]).not.toContain('exchanges');
  });

  it('are calls outside of the web, and a browser', () => {
    expect([...placesOf('src/server/deals/bids/service.test.ts')]).toEqual(['api']);
    expect([...placesOf('tests/browser/sale.test.ts')]).toEqual(['browser']);
  });
});
