import { plural, t } from '@lingui/core/macro';
import { z } from 'zod';
import type { SearchEngineSettings } from '#server/core/config.ts';
import { loadServiceAccount } from '../google-account.ts';
import { askService, quote, readJson, ServiceRefusal, TIMEOUT_MS } from '../service-calls.ts';
import { notifyGoogle, type Site } from './google.ts';

export interface EngineResult {
  readonly name: string;
  /** Without settings an engine is not notified. */
  readonly isSetUp: boolean;
  readonly success: boolean;
  /** In words for an admin: accepted, the reason of the refusal, or not set up. */
  readonly message: string;
}

export interface SearchEngines {
  /** The key to serve as /{key}.txt; null when IndexNow is not set up. */
  readonly indexNowKey: string | null;
  /** Notifies every engine that is set up. `urls`: at most 10,000 pages for IndexNow. Never throws. */
  submit(site: Site): Promise<EngineResult[]>;
}

/** The addresses of the engines; tests replace them. */
export interface EngineEndpoints {
  readonly indexNow: string;
  readonly googleToken: string;
  readonly google: string;
  readonly bing: string;
}

const ENDPOINTS: EngineEndpoints = {
  indexNow: 'https://api.indexnow.org',
  googleToken: 'https://oauth2.googleapis.com/token',
  google: 'https://www.googleapis.com',
  bing: 'https://ssl.bing.com',
};

interface Engine {
  readonly name: string;
  readonly setting: string;
  /** Resolves to what the engine accepted; null when it is not set up. @throws ServiceRefusal */
  readonly notify: ((site: Site, signal: AbortSignal) => Promise<string>) | null;
}

/** @throws Error when the key file of Google's service account is unusable */
export function openSearchEngines(
  settings: SearchEngineSettings | null,
  endpoints: EngineEndpoints = ENDPOINTS,
  timeoutMs = TIMEOUT_MS,
): SearchEngines {
  const { indexNowKey = null, googleServiceAccountFile = null, bingApiKey = null } = settings ?? {};
  const account = googleServiceAccountFile
    ? loadServiceAccount(googleServiceAccountFile, 'GOOGLE_SERVICE_ACCOUNT_FILE')
    : null;
  const engines: readonly Engine[] = [
    {
      name: 'IndexNow',
      setting: 'INDEXNOW_KEY',
      notify: indexNowKey
        ? (site, signal) => notifyIndexNow(endpoints.indexNow, indexNowKey, site, signal)
        : null,
    },
    {
      name: 'Google',
      setting: 'GOOGLE_SERVICE_ACCOUNT_FILE',
      notify: account ? (site, signal) => notifyGoogle(endpoints, account, site, signal) : null,
    },
    {
      name: 'Bing',
      setting: 'BING_API_KEY',
      notify: bingApiKey ? (site, signal) => notifyBing(endpoints.bing, bingApiKey, site, signal) : null,
    },
  ];
  return {
    indexNowKey,
    submit: (site) => Promise.all(engines.map((engine) => ask(engine, site, AbortSignal.timeout(timeoutMs)))),
  };
}

async function ask(
  { name, setting, notify }: Engine,
  site: Site,
  signal: AbortSignal,
): Promise<EngineResult> {
  if (!notify)
    return { name, isSetUp: false, success: false, message: t`Not set up: ${setting} is missing.` };
  try {
    return { name, isSetUp: true, success: true, message: await notify(site, signal) };
  } catch (error) {
    // Other errors are not quoted: they may hold a key.
    const message = error instanceof ServiceRefusal ? error.message : t`Could not be asked.`;
    return { name, isSetUp: true, success: false, message };
  }
}

/** Meanings of IndexNow's status codes (indexnow.org, documentation). */
const REFUSALS: Record<number, () => string> = {
  400: () => t`The request was not understood.`,
  403: () => t`The key was not accepted: it was not found in the key file of this site.`,
  422: () => t`The addresses do not belong to this site, or the key does not match.`,
  429: () => t`Too many requests: they take us for a spammer. Try again later.`,
};

/**
 * Notifies all IndexNow engines (Bing, Yandex, Seznam, Naver; not Google) of new pages.
 * @throws ServiceRefusal
 */
async function notifyIndexNow(
  base: string,
  key: string,
  { publicUrl, urls }: Site,
  signal: AbortSignal,
): Promise<string> {
  const keyLocation = `${publicUrl}/${key}.txt`;
  const { status } = await askService(
    `${base}/indexnow`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ host: new URL(publicUrl).host, key, keyLocation, urlList: urls }),
    },
    signal,
  );
  if (status === 200) return plural(urls.length, { one: 'Accepted # page.', other: 'Accepted # pages.' });
  if (status === 202) {
    return plural(urls.length, {
      one: 'Received # page; the key file of this site is still to be checked.',
      other: 'Received # pages; the key file of this site is still to be checked.',
    });
  }
  throw new ServiceRefusal(REFUSALS[status]?.() ?? t`Answered with status ${status}.`);
}

const errorSchema = z.object({ Message: z.string() });

/** Submits the sitemap to Bing Webmaster Tools (SubmitFeed). @throws ServiceRefusal */
async function notifyBing(
  base: string,
  apiKey: string,
  { publicUrl }: Site,
  signal: AbortSignal,
): Promise<string> {
  const { status, text } = await askService(
    `${base}/webmaster/api.svc/json/SubmitFeed?apikey=${encodeURIComponent(apiKey)}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ siteUrl: `${publicUrl}/`, feedUrl: `${publicUrl}/sitemap.xml` }),
    },
    signal,
  );
  if (status === 200) return t`Accepted the sitemap.`;
  const words = errorSchema.safeParse(readJson(text)).data?.Message.replaceAll(apiKey, '…');
  throw new ServiceRefusal(
    words ? t`Refused (${status}): ${quote(words)}` : t`Answered with status ${status}.`,
  );
}
