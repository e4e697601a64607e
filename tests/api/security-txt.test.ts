import { describe, expect, it } from 'vitest';
import { setUpApp } from '#server/testing/app.ts';

const URL = '/.well-known/security.txt';

describe('security.txt', () => {
  const test = setUpApp({ config: { publicUrl: 'https://clipswap.example' } });

  it('says where to report a hole, and expires within a year', async () => {
    const answer = await test.call(null, { method: 'GET', url: URL });
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    const expires = new Date(test.ctx.clock().getTime() + 180 * 86_400_000).toISOString();
    expect(answer.body.split('\n')).toEqual([
      'Contact: mailto:help@clipswap.example',
      `Expires: ${expires}`,
      'Canonical: https://clipswap.example/.well-known/security.txt',
      'Preferred-Languages: en',
      '',
    ]);
  });
});

describe('security.txt without an address for help', () => {
  const test = setUpApp({ config: { supportEmail: null } });

  it('is not found', async () => {
    expect((await test.call(null, { method: 'GET', url: URL })).statusCode).toBe(404);
  });
});
