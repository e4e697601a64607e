import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as cheerio from 'cheerio';
import { expect, it, onTestFinished } from 'vitest';
import { FIRST_ANSWERS_ID } from '#contract/first-answers.ts';
import { OFFLINE_META, OFFLINE_SHELL } from '#contract/offline.ts';
import { createTestApp } from '#server/testing/app.ts';
import { createUser } from '#server/testing/builders.ts';

it('the shell that browsers keep has nothing of anybody, and a policy for its own scripts', async () => {
  const webRoot = mkdtempSync(path.join(tmpdir(), 'clipswap-web-'));
  copyFileSync(
    path.resolve(import.meta.dirname, '../../src/web/index.html'),
    path.join(webRoot, 'index.html'),
  );
  const test = await createTestApp({ webRoot });
  onTestFinished(async () => {
    await test.close();
    rmSync(webRoot, { recursive: true });
  });
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
