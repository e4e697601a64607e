import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LOAD_LIMIT_MS, openStripe } from './stripe.ts';

/** In its own file, because Stripe's loader keeps state in its module. */

const SETTINGS = { publishableKey: 'pk_live_1', scriptUrl: null };

/** The script of Stripe's loader, and the scripts that we add instead. */
let loaders: HTMLScriptElement[];
let ours: HTMLScriptElement[];

beforeEach(() => {
  vi.useFakeTimers();
  loaders = [];
  ours = [];
  vi.spyOn(document.head, 'appendChild').mockImplementation((node) => {
    if (node instanceof HTMLScriptElement) loaders.push(node);
    return node;
  });
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const node of nodes) if (node instanceof HTMLScriptElement) ours.push(node);
  });
  // The scripts are not added to the document, so that the test sends no request to Stripe.
  vi.spyOn(document, 'querySelector').mockImplementation(() => loaders.at(-1) ?? null);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function expectGivenUp(): Promise<void> {
  const failing = expect(openStripe(SETTINGS)).rejects.toThrow('Not loaded within');
  await vi.advanceTimersByTimeAsync(LOAD_LIMIT_MS);
  await failing;
}

it("gives up a script of Stripe's that hangs, and uses another address at every attempt", async () => {
  await expectGivenUp();
  const address = loaders[0]?.src ?? '';
  expect(address).toMatch(/^https:\/\/js\.stripe\.com\//);
  await expectGivenUp();
  const opening = openStripe(SETTINGS);
  const addresses = ours.map(({ src }) => src);
  expect(addresses).toHaveLength(2);
  expect(new Set([address, ...addresses]).size).toBe(3);
  expect(addresses.every((src) => src.startsWith(`${address}?`))).toBe(true);

  const stripe = { elements: () => null };
  vi.stubGlobal('Stripe', () => stripe);
  ours[1]?.dispatchEvent(new Event('load'));
  expect(await opening).toBe(stripe);
});
