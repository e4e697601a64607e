import { onlineManager, type QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { beginOffline, cacheAnswers } from './cached-answers.ts';
import { answerKey, createQueryClient } from './query-client.ts';
import { ANSWERS_KEY, forgetOthers, noteOfflineCodes } from './viewer-storage.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const DAY_MS = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  onlineManager.setOnline(true);
});

const cached = () => localStorage.getItem(ANSWERS_KEY) ?? '';

/** A tab in which somebody is signed in. */
function tabOf(id: number | null) {
  const client = createQueryClient();
  const answer = (path: string, data: unknown, input?: unknown) =>
    client.setQueryData(answerKey(path, input), data);
  answer('accounts.me', id && { id });
  cacheAnswers(client);
  return { client, answer };
}

/** What a page shows that is opened without the network. */
function openOffline(): QueryClient {
  const client = createQueryClient();
  beginOffline(client);
  return client;
}

const shown = (client: QueryClient, path: string, input?: unknown) =>
  client.getQueryData(answerKey(path, input));

it('keeps the lists of an account, without codes and messages, and shows them with their time', () => {
  const { answer } = tabOf(1);
  const list = { items: [{ title: 'Soup', codePreview: 'SOUP', qrCodeUrl: null }] };
  answer('coupons.mine', list, { page: 1 });
  answer('deals.list', { items: [{ message: 'My code is SOUP' }] });
  answer('coupons.reveal', { code: 'SOUP-1234' });
  answer('messages.list', { items: ['SOUP-1234'] });
  expect(cached()).not.toContain('SOUP');

  vi.setSystemTime(NOW + DAY_MS);
  const client = openOffline();
  expect(shown(client, 'accounts.me')).toEqual({ id: 1 });
  expect(shown(client, 'coupons.mine', { page: 1 })).toEqual({
    items: [{ title: 'Soup', codePreview: '••••••••', qrCodeUrl: null }],
  });
  expect(client.getQueryState(answerKey('coupons.mine', { page: 1 }))?.dataUpdatedAt).toBe(NOW);
  expect(shown(client, 'messages.list')).toBeUndefined();
});

it('keeps the newest three inputs of a call, for 14 days', () => {
  const { answer } = tabOf(null);
  for (const page of [1, 2, 3, 2, 4]) answer('coupons.list', { page }, { page });
  const pages = (client: QueryClient) =>
    [1, 2, 3, 4].filter((page) => shown(client, 'coupons.list', { page }) !== undefined);
  vi.setSystemTime(NOW + 14 * DAY_MS);
  expect(pages(openOffline())).toEqual([2, 3, 4]);
  vi.setSystemTime(NOW + 14 * DAY_MS + 1);
  expect(pages(openOffline())).toEqual([]);
});

it.each([
  ['the sign-out', (tab: ReturnType<typeof tabOf>) => tab.answer('accounts.me', null)],
  ['another account’s first answer', () => tabOf(2)],
  ['the sign-in of another account, before its first answer', () => forgetOthers(2)],
])('%s drops what was cached, and an older tab does not bring it back', (_what, act) => {
  const tab = tabOf(1);
  tab.answer('coupons.mine', { items: ['Soup'] });
  const older = tabOf(1);
  act(tab);
  expect(cached()).not.toContain('Soup');
  if (older.client.getQueryData(answerKey('accounts.me', undefined)) !== null)
    older.answer('coupons.mine', { items: ['Soup'] });
  expect(cached()).not.toContain('Soup');
});

it('a page that was opened without the network looks for it', async () => {
  const look = vi.fn(async () => Response.error());
  vi.stubGlobal('fetch', look);
  openOffline();
  expect(onlineManager.isOnline()).toBe(false);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(onlineManager.isOnline()).toBe(false);
  look.mockResolvedValue(new Response('ok'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(onlineManager.isOnline()).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(look).toHaveBeenCalledTimes(2);
});

it('does without a storage that is full or forbidden', () => {
  vi.stubGlobal('localStorage', undefined);
  const { answer } = tabOf(1);
  answer('coupons.mine', { items: ['Soup'] });
  expect(shown(openOffline(), 'coupons.mine')).toBeUndefined();
});

it('after the clock was set back, what was seen before is no newer than now', () => {
  tabOf(null).answer('coupons.list', {});
  const hourEarlier = NOW - 3_600_000;
  vi.setSystemTime(hourEarlier);
  expect(openOffline().getQueryState(answerKey('coupons.list', undefined))?.dataUpdatedAt).toBe(hourEarlier);
});

it.each([
  ['/', true, '/my-coupons'],
  ['/', false, '/'],
  ['/?q=soup', true, '/?q=soup'],
  ['/deals', true, '/deals'],
])('opened without the network at %s, with codes kept: %s, it begins at %s', (address, hasCodes, begins) => {
  noteOfflineCodes(hasCodes);
  window.history.replaceState(null, '', address);
  openOffline();
  expect(window.location.pathname + window.location.search).toBe(begins);
});
