import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPlainAddress } from '#server/core/plain-address.ts';
import { keptLog, setUpApp } from '#tests/support/app.ts';

/** What stands in the table of routes is reached by its one address, so that no guard reads another than the router. */

const methodsOf = new Map<string, string[]>();
const { log, lines } = keptLog('info');
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
const test = setUpApp({
  standIns: ['mail', 'inbound-mail', 'stripe', 'paypal', 'openid'],
  log,
  config: { logLevel: 'info', isProduction: true },
  watch: (app) =>
    app.addHook('onRoute', ({ url, method }: RouteOptions) => {
      methodsOf.set(url, [...(methodsOf.get(url) ?? []), ...[method].flat()]);
    }),
});
beforeAll(() => test.app.listen({ port: 0, host: '127.0.0.1' }));
afterAll(() => agent.destroy());

/** Sends a path as it is: `inject` and `fetch` would write it in the usual way. */
function statusOf(method: string, path: string): Promise<number> {
  const { port } = test.app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const request = http.request({ agent, host: '127.0.0.1', port, method, path }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    request.once('error', (error) => reject(new Error(`${method} ${path}`, { cause: error }))).end();
  });
}

const encoded = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

/** The other ways to write `/first/rest` that a router, a proxy or a browser may take for the same. */
const SPELLINGS: Record<string, (first: string, rest: string) => string> = {
  'its first letter encoded': (first, rest) => `/${encoded(first.slice(0, 1))}${first.slice(1)}${rest}`,
  'its last letter encoded': (first, rest) =>
    `/${(first + rest).slice(0, -1)}${encoded((first + rest).slice(-1))}`,
  'all of its first part encoded': (first, rest) => `/${encoded(first)}${rest}`,
  'an encoded dot segment': (first, rest) => `/${first}${rest}/%2E`,
  'two slashes before it': (first, rest) => `//${first}${rest}`,
  'two slashes within it': (first, rest) => `/${first}//${rest.slice(1)}`,
  'a dot segment': (first, rest) => `/./${first}${rest}`,
  'a way back': (first, rest) => `/x/../${first}${rest}`,
  'an encoded way back': (first, rest) => `/x/%2e%2e/${first}${rest}`,
  'a backslash': (first, rest) => `/\\${first}${rest}`,
  'a host': (first, rest) => `http://127.0.0.1/${first}${rest}`,
  'a fragment': (first, rest) => `/${first}${rest}#`,
};

it('refuses each route in every other spelling', async () => {
  expect(methodsOf.size).toBeGreaterThan(200);
  const wrong: string[] = [];
  for (const [route, methods] of methodsOf) {
    const example = route.replace(/:[a-z]+/gi, '1').replace(/\*/g, 'x');
    const [first = '', ...rest] = example.slice(1).split('/');
    const tail = rest.map((part) => `/${part}`).join('');
    if (first === '') continue;
    const asked = Object.entries(SPELLINGS).map(async ([name, spell]) => {
      const path = spell(first, tail);
      const status = await statusOf(methods[0] ?? 'GET', path);
      if (status !== 404) wrong.push(`${methods[0]} ${path} (${name}): ${status}`);
    });
    await Promise.all(asked);
  }
  expect(wrong).toEqual([]);
});

it('takes what has to be encoded, and reads queries as they come', () => {
  for (const url of [
    '/',
    '/merchants/caf%C3%A9',
    '/to/una%40example.org?a=%61//..',
    '/a.b/..c',
    '/a%2Fb',
    '/%',
  ])
    expect(isPlainAddress(url), url).toBe(true);
});

describe('the log', () => {
  it('has the token of a calendar in no spelling of its address', async () => {
    const token = 'feedfacefeedface';
    lines.length = 0;
    for (const spell of Object.values(SPELLINGS)) await statusOf('GET', spell('calendar', `/${token}.ics`));
    await expect.poll(() => lines.filter((line) => line.includes('incoming request')).length).toBe(12);
    expect(lines.join('')).not.toContain(token);
  });
});
