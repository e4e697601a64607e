import { MutationObserver, onlineManager, type QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answerKey, createQueryClient } from './query-client.ts';
import { forgetOthers } from './viewer-storage.ts';
import { type Server, storeWaiting } from './waiting-writes.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');

let isOnline: boolean;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  isOnline = false;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
});
afterEach(() => {
  onlineManager.setOnline(true);
});

/** A page that is opened by somebody; `null`: by a visitor. @returns what it sends for another page */
async function openPage(id: number | null) {
  const client = createQueryClient();
  client.mount();
  const send = vi.fn(async (_path: string, _input: unknown) => ({}));
  const call = (path: string) => ({ mutate: (input: unknown) => send(path, input) });
  const server = {
    coupons: { markUsed: call('markUsed'), save: call('save'), unsave: call('unsave') },
    notifications: { markRead: call('markRead') },
  };
  storeWaiting(client, server as unknown as Server);
  client.setQueryData(answerKey('accounts.me', undefined), id && { id });
  await vi.advanceTimersByTimeAsync(0);
  return { client, sent: () => send.mock.calls };
}

async function write(client: QueryClient, path: string, input: object) {
  const mutationFn = async (_input: object) => ({});
  const writing = new MutationObserver(client, { mutationKey: [path.split('.')], mutationFn });
  writing.mutate(input).catch(() => {});
  await vi.advanceTimersByTimeAsync(0);
}

const USED = { id: 5 };

it('what waits is sent by the page that is opened next, once, also when it has to wait there', async () => {
  const { client } = await openPage(1);
  await write(client, 'coupons.markUsed', USED);
  await write(client, 'coupons.save', { couponId: 7, isSaved: false });
  client.unmount();
  const { client: second, sent: sentBySecond } = await openPage(1);
  expect(sentBySecond()).toEqual([]);
  second.unmount();
  isOnline = true;
  const { sent } = await openPage(1);
  expect(sent()).toEqual([
    ['markUsed', USED],
    ['unsave', { couponId: 7 }],
  ]);
  expect((await openPage(1)).sent()).toEqual([]);
});

it('what was sent, or waits too long, or would mean more later, is not sent again', async () => {
  const { client } = await openPage(1);
  await write(client, 'coupons.markUsed', USED);
  isOnline = true;
  onlineManager.setOnline(true);
  await vi.advanceTimersByTimeAsync(0);
  expect((await openPage(1)).sent()).toEqual([]);

  isOnline = false;
  const later = (await openPage(1)).client;
  await write(later, 'notifications.markAllRead', {});
  await write(later, 'coupons.markUsed', USED);
  vi.setSystemTime(NOW + 15 * 86_400_000);
  isOnline = true;
  expect((await openPage(1)).sent()).toEqual([]);
});

it('nothing is sent for another account, and the sign-out drops it', async () => {
  await write((await openPage(1)).client, 'coupons.markUsed', USED);
  isOnline = true;
  expect((await openPage(2)).sent()).toEqual([]);
  expect((await openPage(null)).sent()).toEqual([]);
  forgetOthers(undefined);
  expect((await openPage(1)).sent()).toEqual([]);
});
