import * as cheerio from 'cheerio';
import { expect, it } from 'vitest';
import { FIRST_ANSWERS_ID } from '#contract/base/first-answers.ts';
import { OFFLINE_META, OFFLINE_SHELL } from '#contract/base/offline.ts';
import { paths } from '#contract/base/pages.ts';
import { SHARE_TARGET } from '#contract/base/share-target.ts';
import { setUpApp, WEB_SOURCES } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';

const test = setUpApp({ webRoot: WEB_SOURCES });

it('the shell that browsers keep has nothing of anybody, and a policy for its own scripts', async () => {
  const open = async (url: string, who: Parameters<typeof test.call>[0]) => {
    const { headers, body } = await test.call(who, { method: 'GET', url });
    const $ = cheerio.load(body);
    const meta = (name: string) => $(`meta[name="${name}"]`).attr('content');
    return { policy: headers['content-security-policy'], body, $, meta, nonce: meta('csp-nonce') ?? '' };
  };
  const member = await createUser(test.ctx);
  const shell = await open(OFFLINE_SHELL, member);
  for (const part of [`'nonce-${shell.nonce}'`, "worker-src 'self';", "manifest-src 'self';"])
    expect(shell.policy).toContain(part);
  expect(shell.meta(OFFLINE_META)).toBe('shell');
  expect(shell.meta('robots')).toBe('noindex');
  expect(shell.$(`#${FIRST_ANSWERS_ID}`)).toHaveLength(0);
  const visitors = await open(OFFLINE_SHELL, null);
  expect(shell.body.replaceAll(shell.nonce, '')).toBe(visitors.body.replaceAll(visitors.nonce, ''));
  expect((await open('/', member)).meta(OFFLINE_META)).toBeUndefined();
});

it('what is shared without a service worker leads to the page that says so, from anywhere, and nothing of it is read', async () => {
  const { statusCode, headers } = await test.app.inject({
    method: 'POST',
    url: SHARE_TARGET,
    headers: {
      ...{ origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
      'content-type': 'multipart/form-data; boundary=x',
    },
    payload: 'x'.repeat(1024 * 1024),
  });
  expect([statusCode, headers.location]).toEqual([303, paths.addShared]);
});
