import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadFeedSettings } from './settings.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'feed-settings-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function load(content: unknown, env: Record<string, string> = {}) {
  const file = path.join(folder, 'feeds.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return loadFeedSettings(file, env);
}

const feed = { name: 'shop', url: 'https://feeds.example/x.csv', format: 'csv' };

it('has no feeds without a file', () => {
  expect(loadFeedSettings(null, {})).toEqual([]);
});

it('fills in defaults, and keys from the environment', () => {
  const api = {
    name: 'awin',
    url: 'https://api.awin.example/publisher/$PUBLISHER/promotions',
    format: 'json',
    network: 'awin',
    method: 'POST',
    headers: { Authorization: 'Bearer $TOKEN' },
    body: { filters: { regionCodes: ['CA'], note: '$TOKEN' }, pagination: { pageSize: 200 } },
    fields: { terms: 'small print', code: ['a', 'b.c'] },
  };
  expect(load({ feeds: [feed, api] }, { PUBLISHER: '42', TOKEN: 'key' })).toEqual([
    { ...feed, method: 'GET', headers: {}, everyHours: 6 },
    {
      ...api,
      url: 'https://api.awin.example/publisher/42/promotions',
      headers: { Authorization: 'Bearer key' },
      body: { filters: { regionCodes: ['CA'], note: 'key' }, pagination: { pageSize: 200 } },
      fields: { terms: ['small print'], code: ['a', 'b.c'] },
      everyHours: 6,
    },
  ]);
});

it('reads file paths relative to its own folder', () => {
  expect(load({ feeds: [{ ...feed, url: 'file:offers.csv' }] })).toMatchObject([
    { url: `file:${path.join(folder, 'offers.csv')}` },
  ]);
});

it('reports each mistake with its place', () => {
  const wrong = {
    feeds: [
      feed,
      { ...feed, url: 'http://feeds.example', format: 'pdf', netwrok: 'awin', charset: 'latin-99' },
    ],
  };
  expect(() => load(wrong)).toThrow(/feeds\.1\.format: .*[\s\S]*feeds\.1\.charset: is not a charset/);
  expect(() => load(wrong)).toThrow('feeds.1.url: must begin with https:// or file:');
  expect(() => load(wrong)).toThrow('netwrok');
  expect(() => load({ feeds: [feed, feed] })).toThrow('feeds.1.name: is taken by a feed before');
  expect(() => load({ feeds: [{ ...feed, body: {} }] })).toThrow('feeds.0.body: needs "method": "POST"');
  expect(() => load({ feeds: [{ ...feed, headers: { 'X-Key': '$KEY' } }] })).toThrow(
    /The feeds in .*feeds\.json need these variables, which are not set: KEY/,
  );
  expect(() => load('{')).toThrow('it is not JSON');
  expect(() => loadFeedSettings(path.join(folder, 'missing.json'), {})).toThrow('it cannot be read');
});
