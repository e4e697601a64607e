import { askEngine, EngineRefusal, type Site } from './http.ts';

/** Meanings of the status codes (indexnow.org, documentation). */
const REFUSALS: Record<number, string> = {
  400: 'The request was not understood.',
  403: 'The key was not accepted: it was not found in the key file of this site.',
  422: 'The addresses do not belong to this site, or the key does not fit.',
  429: 'Too many requests: they take us for a spammer. Try again later.',
};

/**
 * Notifies all IndexNow engines (Bing, Yandex, Seznam, Naver; not Google) of new pages.
 * @throws EngineRefusal
 */
export async function tellIndexNow(
  base: string,
  key: string,
  { publicUrl, urls }: Site,
  signal: AbortSignal,
): Promise<string> {
  const keyLocation = `${publicUrl}/${key}.txt`;
  const { status } = await askEngine(
    `${base}/indexnow`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ host: new URL(publicUrl).host, key, keyLocation, urlList: urls }),
    },
    signal,
  );
  const pages = `${urls.length} ${urls.length === 1 ? 'page' : 'pages'}`;
  if (status === 200) return `Accepted ${pages}.`;
  if (status === 202) return `Received ${pages}; the key file of this site is still to be checked.`;
  throw new EngineRefusal(REFUSALS[status] ?? `Answered with status ${status}.`);
}
