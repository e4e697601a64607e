import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { fetchAccessToken, type ServiceAccount } from '../google-account.ts';
import { askService, quote, readJson, ServiceRefusal } from '../service-calls.ts';

const SCOPE = 'https://www.googleapis.com/auth/webmasters';

export interface Site {
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** New or changed pages. */
  readonly urls: readonly string[];
}

const apiErrorSchema = z.object({ error: z.object({ message: z.string() }) });

/**
 * Submits the sitemap through the Search Console API.
 * @param account an owner of the site in Search Console
 * @throws ServiceRefusal
 */
export async function notifyGoogle(
  endpoints: { readonly googleToken: string; readonly google: string },
  account: ServiceAccount,
  { publicUrl }: Site,
  signal: AbortSignal,
): Promise<string> {
  const token = await fetchAccessToken(endpoints.googleToken, account, SCOPE, signal);
  const [site, feed] = [`${publicUrl}/`, `${publicUrl}/sitemap.xml`].map(encodeURIComponent);
  const { status, text } = await askService(
    `${endpoints.google}/webmasters/v3/sites/${site}/sitemaps/${feed}`,
    { method: 'PUT', headers: { authorization: `Bearer ${token}` } },
    signal,
  );
  if (status === 200 || status === 204) return t`Accepted the sitemap.`;
  const words = apiErrorSchema.safeParse(readJson(text)).data?.error.message.replaceAll(token, '…');
  throw new ServiceRefusal(
    words ? t`Refused (${status}): ${quote(words)}` : t`Answered with status ${status}.`,
  );
}
