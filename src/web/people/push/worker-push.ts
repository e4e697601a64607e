import { t } from '@lingui/core/macro';
import type { PushPayload } from '#contract/people/push.ts';

/* The part of the service worker that shows pushes. */

/** What it uses of the worker's scope; TypeScript knows the types of pages here. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly PageClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener<Given extends Event>(type: string, listener: (event: Given) => void): void;
}

interface PageClient {
  readonly url: string;
  focus(): Promise<unknown>;
}

interface LastingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface PushEvent extends LastingEvent {
  readonly data: { json(): unknown } | null;
}

interface ClickEvent extends LastingEvent {
  readonly notification: Notification;
}

interface ChangeEvent extends LastingEvent {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
}

/** Browsers demand that each push shows something. */
const UNREADABLE: PushPayload = {
  title: t`Notifications`,
  body: '',
  path: '/',
  tag: '/',
};

function payloadOf({ data }: PushEvent): PushPayload {
  try {
    return { ...UNREADABLE, ...(data?.json() as Partial<PushPayload>) };
  } catch {
    return UNREADABLE;
  }
}

/** A page of this site; its first one for any other address. */
function pageOf(path: unknown, prefix: string): URL {
  const url = new URL(prefix + String(path), location.origin);
  return url.origin === location.origin ? url : new URL(`${prefix}/`, location.origin);
}

/**
 * Shows pushes, opens the page that a pressed one is about, and tells the server when the browser's address changes.
 * @param prefix of the addresses of pages in the worker's language
 */
export function showPushes(scope: WorkerScope, prefix: string): void {
  scope.addEventListener<PushEvent>('push', (event) => {
    const { title, body, path, tag } = payloadOf(event);
    const shown = { body, tag, renotify: true, icon: '/icon-192.png', data: { path } };
    event.waitUntil(scope.registration.showNotification(title, shown));
  });

  scope.addEventListener<ClickEvent>('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(openPage(scope, pageOf(event.notification.data?.path, prefix)));
  });

  scope.addEventListener<ChangeEvent>('pushsubscriptionchange', (event) => {
    event.waitUntil(renew(scope, event));
  });
}

/** Focuses a window that shows the page, or opens one: others may hold what somebody is typing. */
async function openPage({ clients }: WorkerScope, page: URL): Promise<void> {
  const open = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = open.find(({ url }) => {
    const { pathname, search } = new URL(url);
    return pathname === page.pathname && search === page.search;
  });
  await (shown ? shown.focus() : clients.openWindow(page.href));
}

/** Subscribes anew where the browser has ended a subscription, for the session that there is. */
async function renew(
  { registration }: WorkerScope,
  { oldSubscription, newSubscription }: ChangeEvent,
): Promise<void> {
  const key = oldSubscription?.options.applicationServerKey;
  if (!newSubscription && !key) return;
  const subscription =
    newSubscription ??
    (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key ?? null }));
  await fetch('/api/trpc/push.subscribe', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(subscription),
  });
}
