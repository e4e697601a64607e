import { expect, it, vi } from 'vitest';
import { showPushes } from './worker-push.ts';

/** A worker's scope, and what reaches it. */
function startWorker(subscribe: () => Promise<unknown>) {
  const scope = Object.assign(new EventTarget(), {
    registration: { pushManager: { subscribe } },
    clients: {},
  });
  showPushes(scope as unknown as Parameters<typeof showPushes>[0], '');
  return async (type: string, fields: object) => {
    const work: Promise<unknown>[] = [];
    const waitUntil = (one: Promise<unknown>) => void work.push(one);
    scope.dispatchEvent(Object.assign(new Event(type), { waitUntil, ...fields }));
    await Promise.all(work);
  };
}

it('where the browser ends a subscription, subscribes anew for the same server and tells it', async () => {
  const fetched = vi.fn(async () => new Response());
  vi.stubGlobal('fetch', fetched);
  const subscribe = vi.fn(async () => ({ endpoint: 'https://web.push.apple.com/new' }));
  const tell = startWorker(subscribe);
  const applicationServerKey = new ArrayBuffer(65);
  await tell('pushsubscriptionchange', { oldSubscription: { options: { applicationServerKey } } });
  expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey });
  expect(fetched).toHaveBeenLastCalledWith('/api/trpc/push.subscribe', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"endpoint":"https://web.push.apple.com/new"}',
  });

  await tell('pushsubscriptionchange', { newSubscription: { endpoint: 'https://web.push.apple.com/2' } });
  expect(subscribe).toHaveBeenCalledOnce();
  expect(fetched).toHaveBeenCalledTimes(2);
  // Browsers that say nothing of the old one: the settings turn it on again.
  await tell('pushsubscriptionchange', {});
  expect(fetched).toHaveBeenCalledTimes(2);
});
