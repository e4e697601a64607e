import type { SearchEngineSettings } from '#server/core/config.ts';
import { tellBing } from './bing.ts';
import { loadServiceAccount, tellGoogle } from './google.ts';
import { EngineRefusal, type Site, TIMEOUT_MS } from './http.ts';
import { tellIndexNow } from './index-now.ts';

/** One engine's true answer. */
export interface EngineResult {
  readonly name: string;
  /** Whether its settings are there, so that it was asked at all. */
  readonly isSetUp: boolean;
  readonly success: boolean;
  /** In words for an admin: accepted, refused and why, or not set up. */
  readonly message: string;
}

export interface SearchEngines {
  /** The key that we serve as /{key}.txt; null where IndexNow is not set up. */
  readonly indexNowKey: string | null;
  /** Tells every engine that is set up. `urls`: at most 10,000 pages for IndexNow. Never throws. */
  submit(site: Site): Promise<EngineResult[]>;
}

/** Where the engines are reached; tests put sandboxes there. */
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
  /** Resolves to what it has accepted; null where it is not set up. @throws EngineRefusal */
  readonly tell: ((site: Site, signal: AbortSignal) => Promise<string>) | null;
}

/**
 * Connects to the engines that are set up; `null`: to none.
 * @throws Error when the key file of Google's service account cannot be used
 */
export function openSearchEngines(
  settings: SearchEngineSettings | null,
  endpoints: EngineEndpoints = ENDPOINTS,
  timeoutMs = TIMEOUT_MS,
): SearchEngines {
  const { indexNowKey = null, googleServiceAccountFile = null, bingApiKey = null } = settings ?? {};
  const account = googleServiceAccountFile ? loadServiceAccount(googleServiceAccountFile) : null;
  const engines: readonly Engine[] = [
    {
      name: 'IndexNow',
      setting: 'INDEXNOW_KEY',
      tell: indexNowKey
        ? (site, signal) => tellIndexNow(endpoints.indexNow, indexNowKey, site, signal)
        : null,
    },
    {
      name: 'Google',
      setting: 'GOOGLE_SERVICE_ACCOUNT_FILE',
      tell: account ? (site, signal) => tellGoogle(endpoints, account, site, signal) : null,
    },
    {
      name: 'Bing',
      setting: 'BING_API_KEY',
      tell: bingApiKey ? (site, signal) => tellBing(endpoints.bing, bingApiKey, site, signal) : null,
    },
  ];
  return {
    indexNowKey,
    submit: (site) => Promise.all(engines.map((engine) => ask(engine, site, AbortSignal.timeout(timeoutMs)))),
  };
}

async function ask({ name, setting, tell }: Engine, site: Site, signal: AbortSignal): Promise<EngineResult> {
  if (!tell) return { name, isSetUp: false, success: false, message: `Not set up: ${setting} is missing.` };
  try {
    return { name, isSetUp: true, success: true, message: await tell(site, signal) };
  } catch (error) {
    // What else goes wrong is not told in its own words: they may hold a key.
    const message = error instanceof EngineRefusal ? error.message : 'Could not be asked.';
    return { name, isSetUp: true, success: false, message };
  }
}
