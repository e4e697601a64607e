import type { FastifyRequest } from 'fastify';
import { type FirstAnswer, type FirstQuery, firstQueries } from '#contract/base/first-answers.ts';
import { withoutPrefix } from '#contract/base/i18n.ts';
import { findWebPage } from '#contract/base/pages.ts';
import { type Caller, procedureOf } from './caller.ts';
import type { PageAnswer } from './page-meta.ts';

/** Search engines and link previews read the head of a page. */
const BOT = /bot|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|curl|wget/i;

/** Whether the client runs our scripts, and so uses the answers. */
export function wantsAnswers({ method, headers }: FastifyRequest): boolean {
  const agent = headers['user-agent'];
  return method === 'GET' && agent !== undefined && !BOT.test(agent);
}

/** The queries of the first screen of the page at an address. */
function queriesAt(url: string): FirstQuery[] {
  const [path = ''] = url.split('?');
  const found = findWebPage(withoutPrefix(path));
  // Not `URL`, which throws for some of the addresses that programs ask for.
  return found ? firstQueries(found.page, found.parameter, new URLSearchParams(url.slice(path.length))) : [];
}

/**
 * Answers the queries of a page's first screen with the session of the visitor, and who they are. What fails or
 * takes too long is left out: the browser asks for it.
 * @param page what was looked up for the head of the page; one that is missing has no first screen
 * @param late settles when the page waits no longer
 */
export async function firstAnswers(
  { url }: FastifyRequest,
  { status, known }: Pick<PageAnswer, 'status' | 'known'>,
  open: () => Promise<Caller>,
  late: Promise<unknown>,
): Promise<FirstAnswer[]> {
  const queries: FirstQuery[] = [{ path: 'accounts.me' }, ...(status === 200 ? queriesAt(url) : [])];
  const answers: FirstAnswer[] = [];
  const work = Promise.all(
    queries.map(async ({ path, input }) => {
      const before = known.find(([name]) => name === path);
      if (before) {
        answers.push(before);
        return;
      }
      try {
        const data = await procedureOf(await open(), path)(input);
        answers.push(input === undefined ? [path, data] : [path, data, input]);
      } catch {
        // The browser asks again, and shows the failure in its place.
      }
    }),
  );
  await Promise.race([work, late]);
  return [...answers];
}
