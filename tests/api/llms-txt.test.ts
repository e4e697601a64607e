import { expect, it } from 'vitest';
import { PAGES, WEB_PAGES } from '#contract/base/pages.ts';
import { programExamples } from '#contract/base/program-examples.ts';
import { REST_CALLS } from '#server/rest/table.ts';
import { OUR_PAGE, setUpApp } from '#tests/support/app.ts';

/** What the market says of itself to assistants. */

const test = setUpApp();
const site = () => test.deps.config.publicUrl;
const read = (url: string) => test.call(null, { method: 'GET', url, headers: OUR_PAGE });

interface Listed {
  readonly name: string;
  readonly address: string;
}

/** The text in its parts, by the form of llmstxt.org; fails for a line that this form does not have. */
function partsOf(text: string): { title: string; summary: string; sections: Map<string, Listed[]> } {
  const [title = '', summary = '', about = '', ...rest] = text.trimEnd().split('\n\n');
  expect([title.slice(0, 2), summary.slice(0, 2), /^[\w*]/.test(about)]).toEqual(['# ', '> ', true]);
  const sections = new Map<string, Listed[]>();
  for (let at = 0; at < rest.length; at += 2) {
    const [heading = '', list = ''] = rest.slice(at, at + 2);
    expect(heading).toMatch(/^## \S/);
    const links = list.split('\n').map((line) => {
      const [, name = '', address = ''] = /^- \[([^\]]+)\]\((http\S+)\): \S.*[.!?]$/.exec(line) ?? [];
      expect(name, line).not.toBe('');
      return { name, address: address.replace(site(), '') };
    });
    sections.set(heading.slice(3), links);
  }
  return { title: title.slice(2), summary: summary.slice(2), sections };
}

it('is in the form of llmstxt.org, and names addresses, calls and pages that are there', async () => {
  const answer = await read('/llms.txt');
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  const { title, summary, sections } = partsOf(answer.body);
  expect(title).toBe('ClipSwap');
  expect(summary).toMatch(/coupons/);
  expect([...sections.keys()]).toEqual(['For programs', 'First calls', 'Pages', 'Optional']);

  const named = [...sections.values()].flat().map(({ address }) => address);
  const isPage = (address: string) => WEB_PAGES.some(({ path }) => path === address);
  for (const address of new Set(named)) {
    if (isPage(address)) continue;
    const isThere = ['GET', 'POST'].some((method) =>
      test.app.hasRoute({ method: method as 'GET' | 'POST', url: address }),
    );
    expect(isThere, address).toBe(true);
  }
  expect(named.includes('/mcp')).toBe(test.app.hasRoute({ method: 'POST', url: '/mcp' }));

  for (const { name } of sections.get('First calls') ?? []) {
    const known = REST_CALLS.filter(({ method, path }) =>
      new RegExp(`^${method} ${path.replace(/:\w+/g, '\\d+')}$`).test(name),
    );
    expect(known, name).toHaveLength(1);
  }
  const pages = sections.get('Pages')?.map(({ address }) => address);
  const open = WEB_PAGES.filter((page) => page.isPublic && !page.path.includes(':')).map(({ path }) => path);
  expect([...(pages ?? []), PAGES.developers.path].sort()).toEqual(open.sort());
});

it('is in English, whatever a browser prefers', async () => {
  const headers = { ...OUR_PAGE, 'accept-language': 'fr' };
  const french = await test.call(null, { method: 'GET', url: '/llms.txt', headers });
  expect(french.body).toBe((await read('/llms.txt')).body);
});

it('an assistant is configured with the address of this market', () => {
  const { mcpServers } = JSON.parse(programExamples('https://market.example').assistant);
  expect(Object.values(mcpServers)).toEqual([
    {
      type: 'http',
      url: 'https://market.example/mcp',
      headers: { Authorization: expect.stringMatching(/^Bearer /) },
    },
  ]);
});
