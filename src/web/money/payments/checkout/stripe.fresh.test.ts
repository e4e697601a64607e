import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LOAD_LIMIT_MS, openStripe } from './stripe.ts';

const STAND_IN = '/sandbox/stripe/browser/stripe.js';
const SETTINGS = { publishableKey: 'pk_live_1', scriptUrl: STAND_IN };

/** Every script that was added; each hangs until the test ends it. */
let scripts: HTMLScriptElement[];
/** The keys that Stripe was opened with. */
let keys: string[];

beforeEach(() => {
  vi.useFakeTimers();
  scripts = [];
  keys = [];
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const node of nodes) if (node instanceof HTMLScriptElement) scripts.push(node);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Stripe's own loader keeps the first one in its module. */
function open(key: string) {
  keys.push(key);
  return { elements: () => null };
}

function arrive(script: HTMLScriptElement | undefined): void {
  vi.stubGlobal('Stripe', open);
  script?.dispatchEvent(new Event('load'));
}

it('loads Stripe from our own address and opens it with our key', async () => {
  const opening = openStripe(SETTINGS);
  expect(scripts[0]?.getAttribute('src')).toBe(STAND_IN);
  arrive(scripts[0]);
  await opening;
  expect(keys).toEqual(['pk_live_1']);
});

it('can load Stripe again after a failure', async () => {
  const failing = expect(openStripe(SETTINGS)).rejects.toThrow('could not be loaded');
  scripts[0]?.dispatchEvent(new Event('error'));
  await failing;
  const opening = openStripe(SETTINGS);
  // Another address: for the same one, a browser would wait for the first request.
  expect(scripts[1]?.getAttribute('src')).not.toBe(scripts[0]?.getAttribute('src'));
  arrive(scripts[1]);
  await opening;
});

it('gives up a script that hangs', async () => {
  const failing = expect(openStripe(SETTINGS)).rejects.toThrow('Not loaded within');
  await vi.advanceTimersByTimeAsync(LOAD_LIMIT_MS);
  await failing;
});
