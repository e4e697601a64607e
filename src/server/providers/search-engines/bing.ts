import { z } from 'zod';
import { askEngine, EngineRefusal, quote, readJson, type Site } from './http.ts';

const errorSchema = z.object({ Message: z.string() });

/** Submits the sitemap to Bing Webmaster Tools (SubmitFeed). @throws EngineRefusal */
export async function tellBing(
  base: string,
  apiKey: string,
  { publicUrl }: Site,
  signal: AbortSignal,
): Promise<string> {
  const { status, text } = await askEngine(
    `${base}/webmaster/api.svc/json/SubmitFeed?apikey=${encodeURIComponent(apiKey)}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ siteUrl: `${publicUrl}/`, feedUrl: `${publicUrl}/sitemap.xml` }),
    },
    signal,
  );
  if (status === 200) return 'Accepted the sitemap.';
  const words = errorSchema.safeParse(readJson(text)).data?.Message.replaceAll(apiKey, '…');
  throw new EngineRefusal(words ? `Refused (${status}): ${quote(words)}` : `Answered with status ${status}.`);
}
