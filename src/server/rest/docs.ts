import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '#contract/base/escape-html.ts';
import { GROUNDS, PAGE_GROUND } from '#contract/base/grounds.ts';
import { marketName } from '#contract/base/market.ts';
import { paths } from '#contract/base/pages.ts';
import { COLORS } from '#contract/base/palette.ts';
import type { PaymentClient } from '#contract/money/payments.ts';
import { API_KEY_READS_A_MINUTE, API_KEY_WRITES_A_MINUTE } from '#contract/people/program-limits.ts';
import { ownColor } from '#server/core/market-colors.ts';
import { contentSecurityPolicy } from './csp.ts';
import { curlOf, EXAMPLES } from './examples.ts';
import { IMAGE_CALLS } from './images.ts';
import { type JsonSchema, resolved } from './json-schemas.ts';
import { describeCall, scopesOf, units } from './openapi.ts';
import { REST_CALLS, type RestCall } from './table.ts';
import { UPLOAD_CALLS } from './uploads.ts';

const { gray, dark } = COLORS;

/** The font of our pages, as far as the web application is built. */
function fontIn(webRoot: string): string {
  const folder = path.join(webRoot, 'assets');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const file = files.find((name) => name.includes('latin-opsz-') && name.endsWith('.woff2'));
  return file
    ? `@font-face { font-family: Site; src: url('/assets/${file}'); font-weight: 200 800; font-display: swap; }`
    : '';
}

const style = (font: string) => `
  ${font}
  :root { color-scheme: light dark; --ink: ${ownColor(gray[9])}; --paper: ${ownColor(PAGE_GROUND.light)}; --line: ${ownColor(gray[3])}; --soft: ${ownColor(gray[1])}; --quiet: ${ownColor(gray[6])}; }
  @media (prefers-color-scheme: dark) { :root { --ink: ${ownColor(dark[0])}; --paper: ${ownColor(PAGE_GROUND.dark)}; --line: ${ownColor(dark[5])}; --soft: ${ownColor(GROUNDS.dark.surface)}; --quiet: ${ownColor(dark[2])}; } }
  body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
    font: 1rem/1.5 Site, system-ui, sans-serif; }
  a { color: inherit; }
  section { border-top: 1px solid var(--line); padding: 1rem 0; }
  h3 { margin: 0; font: 600 1rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
  p { margin: .25rem 0 .5rem; }
  table { width: 100%; border-collapse: collapse; font-size: .875rem; }
  th, td { text-align: left; vertical-align: top; padding: .25rem .5rem .25rem 0; overflow-wrap: anywhere; }
  th { color: var(--quiet); font-weight: 500; }
  pre { background: var(--soft); padding: .75rem; border-radius: .25rem; white-space: pre-wrap; }
  pre code { padding: 0; overflow-wrap: anywhere; }
  code { font-family: ui-monospace, monospace; background: var(--soft); padding: .1rem .3rem; border-radius: .25rem; }
`;

function typeOf(property: JsonSchema): string {
  if (property.enum) return property.enum.join(' | ');
  if (property.anyOf) return [...new Set(property.anyOf.map((one) => typeOf(resolved(one))))].join(' | ');
  return [property.type ?? 'any'].flat().join(' | ');
}

function meaningOf(property: JsonSchema): string {
  return property.description ? `${typeOf(property)}: ${property.description}` : typeOf(property);
}

function renderInput({ schema }: ReturnType<typeof describeCall>): string {
  const parts = [
    { where: 'path', part: schema.params },
    { where: 'query', part: 'querystring' in schema ? schema.querystring : undefined },
    { where: 'body', part: 'body' in schema ? schema.body : undefined },
  ];
  const rows = parts.flatMap(({ where, part }) =>
    Object.entries(part?.properties ?? {}).map(([name, given]) => {
      const property = resolved(given);
      const required = part?.required?.includes(name) ? 'required' : 'optional';
      const fallback = property.default === undefined ? '' : `, default ${JSON.stringify(property.default)}`;
      return `<tr><td><code>${escapeHtml(name)}</code></td><td>${where}, ${required}${escapeHtml(fallback)}</td><td>${escapeHtml(meaningOf(property))}</td></tr>`;
    }),
  );
  if (rows.length === 0) return '';
  return `<table><thead><tr><th scope="col">Field</th><th scope="col">Where</th><th scope="col">Type</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function renderHead(method: string, path: string, summary: string): string {
  return `<h3>${method} ${escapeHtml(path.replace(/:(\w+)/g, '{$1}'))}</h3><p>${escapeHtml(summary)}.`;
}

/** What a key needs for a call. */
function renderScopes(procedure: string): string {
  const scopes = scopesOf(procedure);
  if (scopes === null) return '<p>For people only: no key may make this call.</p>';
  if (scopes.length === 0) return '<p>Any key may make this call.</p>';
  return `<p>A key needs ${scopes.map((scope) => `<code>${scope}</code>`).join(' and ')}.</p>`;
}

/** How a program begins. */
function renderBeginning(site: string): string {
  const examples = EXAMPLES.map(
    (example) =>
      `<p>${escapeHtml(example.title)}:</p><pre><code>${escapeHtml(curlOf(example, site))}</code></pre>`,
  );
  return `<h2>Begin</h2>
<p><a href="${paths.developers}">For programs and assistants</a> has complete examples, the limits, and what has changed.</p>
<p>Make a key under <a href="${paths.settings('keys')}">Keys for programs</a> in your settings, and choose what it may do. Send it with each call as <code>Authorization: Bearer clipswap_…</code>: no cookie and no other header is needed. It is shown once, works until the day you choose, and does in your name what its scopes allow, never more than you may do yourself.</p>
<p>A key may read ${API_KEY_READS_A_MINUTE} times and write ${API_KEY_WRITES_A_MINUTE} times a minute, unless the operator has set other numbers. Beyond that the answer is 429; <code>Retry-After</code> says in how many seconds to try again. 401: the key does not work. 403: it has no scope for the call, or you may not do this.</p>
${examples.join('')}`;
}

/** The calls that take a file or answer with one. */
function renderFileCalls(): string {
  const takes = UPLOAD_CALLS.map(
    ({ path, summary }) =>
      `<section>${renderHead('POST', path, summary)} A form (<code>multipart/form-data</code>) with the file as <code>image</code>.</p></section>`,
  );
  const gives = IMAGE_CALLS.map(
    ({ path, summary }) => `<section>${renderHead('GET', path, summary)}</p></section>`,
  );
  return `<h2>files</h2>${[...takes, ...gives].join('')}`;
}

function renderCall(call: RestCall): string {
  const description = describeCall(call);
  const page = description.isPage
    ? ' Answers an array; <code>X-Total-Count</code> and <code>Link</code> tell of the rest.'
    : '';
  return `<section>${renderHead(call.method, call.path, description.schema.summary)}${page}</p>${renderScopes(call.procedure)}${renderInput(description)}</section>`;
}

function renderPage(nonce: string, site: string, font: string): string {
  const domains = [...new Set(REST_CALLS.map((call) => call.procedure.split('.')[0] ?? ''))];
  const chapters = domains.map((domain) => {
    const calls = REST_CALLS.filter((call) => call.procedure.startsWith(`${domain}.`));
    return `<h2>${escapeHtml(domain)}</h2>${calls.map(renderCall).join('')}`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(marketName())} API</title><link rel="icon" href="/favicon.svg"><style nonce="${nonce}">${style(font)}</style></head><body>
<header><h1>${escapeHtml(marketName())} API</h1></header><main>
<p>Bodies are JSON. ${escapeHtml(units())} A refused call answers <code>{"error", "code", "issues"?}</code>.
Programs read <a href="/api/openapi.json">the OpenAPI document</a>.</p>${renderBeginning(site)}${chapters.join('')}${renderFileCalls()}</main></body></html>`;
}

/** The API documentation for people, written from the same table and schemas as the routes. */
export function registerDocs(
  app: FastifyInstance,
  client: PaymentClient,
  site: string,
  webRoot: string,
): void {
  const font = fontIn(webRoot);
  app.get('/api/docs', { schema: { hide: true } }, async (_request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-security-policy', contentSecurityPolicy(client, nonce))
      .type('text/html; charset=utf-8')
      .send(renderPage(nonce, site, font));
  });
}
