import type { appRouter } from '#server/trpc/root.ts';

type Router = (typeof appRouter)['_def']['record'];

/** A call by its place in the router: 'exchanges.setStatus'. */
type ProcedurePath = {
  [Domain in keyof Router & string]: `${Domain}.${keyof Router[Domain] & string}`;
}[keyof Router & string];

export interface RestCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In Fastify's notation; path parameters, query and JSON body together are the procedure's input. */
  readonly path: `/api/${string}`;
  readonly procedure: ProcedurePath;
  /** One line for the reader of the documentation. */
  readonly summary: string;
  /** The status of success: 200 unless something is made. */
  readonly status: 200 | 201;
  /** A page of a list: the body is the bare array, the rest goes into X-Total-Count and Link. */
  readonly isList: boolean;
}

function call(
  method: RestCall['method'],
  path: RestCall['path'],
  procedure: ProcedurePath,
  summary: string,
  options: Partial<Pick<RestCall, 'status' | 'isList'>> = {},
): RestCall {
  return { method, path, procedure, summary, status: 200, isList: false, ...options };
}

const MADE = { status: 201 } as const;
const LIST = { isList: true } as const;

/** The REST door: one line a call. What a call takes, answers and allows is the procedure's to say. */
export const REST_CALLS: readonly RestCall[] = [
  call('GET', '/api/user', 'accounts.currentUser', 'The signed-in person; 401 when nobody is'),
  call('POST', '/api/register', 'accounts.register', 'Registers a person and signs them in', MADE),
  call('POST', '/api/login', 'accounts.login', 'Signs in'),
  call('POST', '/api/logout', 'accounts.logout', 'Signs out'),

  call(
    'GET',
    '/api/coupons',
    'coupons.list',
    'Browses, filters, searches and sorts the coupons on offer',
    LIST,
  ),
  call('POST', '/api/coupons', 'coupons.create', 'Lists a coupon', MADE),
  call('GET', '/api/coupons/:id', 'coupons.byId', 'One coupon, without its code'),
  call('PATCH', '/api/coupons/:id', 'coupons.update', 'Edits a coupon of one’s own'),
  call('DELETE', '/api/coupons/:id', 'coupons.remove', 'Takes a coupon of one’s own away'),
  call('POST', '/api/coupons/:id/reveal', 'coupons.reveal', 'Shows the owner the code, and records that'),
  call('GET', '/api/my-coupons', 'coupons.mine', 'The caller’s own coupons', LIST),

  call('GET', '/api/exchanges', 'exchanges.list', 'The exchanges that the caller takes part in', LIST),
  call('POST', '/api/exchanges', 'exchanges.propose', 'Proposes a swap', MADE),
  call('GET', '/api/exchanges/:id', 'exchanges.byId', 'One exchange'),
  call('PATCH', '/api/exchanges/:id', 'exchanges.revise', 'Changes a pending proposal'),
  call('PATCH', '/api/exchanges/:id/status', 'exchanges.setStatus', 'Accepts, rejects, cancels or completes'),

  call('GET', '/api/notifications', 'notifications.list', 'The caller’s notifications, newest first', LIST),
  call('PATCH', '/api/notifications/:id/read', 'notifications.markRead', 'Marks one notification as read'),
  call(
    'POST',
    '/api/notifications/read-all',
    'notifications.markAllRead',
    'Marks every notification as read',
  ),
  call('GET', '/api/transaction-logs', 'notifications.transactionLogs', 'The caller’s history', LIST),
];
