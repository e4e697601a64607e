import type { FastifyRequest } from 'fastify';
import { type FirstAnswer, type FirstQuery, firstQueries } from '#contract/first-answers.ts';
import { findWebPage } from '#contract/pages.ts';
import { type Caller, procedureOf } from './caller.ts';

/** A page waits no longer than this for its answers; the browser then asks for those that are missing. */
const ANSWERS_WAIT_MS = 500;

/** Search engines and link previews read the head of a page. */
const BOT = /bot|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|curl|wget/i;

/** Whether the answers are of use to whoever asks for the page. */
function wantsAnswers({ method, headers }: FastifyRequest): boolean {
  const agent = headers['user-agent'];
  return method === 'GET' && agent !== undefined && !BOT.test(agent);
}

/** The beginning of the owner's code: whatever has one is left out of pages. */
function hasCodePreview(data: unknown): boolean {
  return /"codePreview":"/.test(JSON.stringify(data) ?? '');
}

/**
 * Answers the queries of a page's first screen with the session of the visitor, and who they are. What fails, takes too
 * long or has a part of a code is left out: the browser asks for it.
 * @param known answers that were looked up for the head of the page
 */
export async function firstAnswers(
  request: FastifyRequest,
  known: readonly FirstAnswer[],
  open: () => Promise<Caller>,
): Promise<FirstAnswer[]> {
  if (!wantsAnswers(request)) return [];
  const { pathname, searchParams } = new URL(request.url, 'http://here');
  const found = findWebPage(pathname);
  const queries: FirstQuery[] = [
    { path: 'accounts.me' },
    ...(found ? firstQueries(found.page, found.parameter, searchParams) : []),
  ];
  const answers: FirstAnswer[] = [];
  const add = (answer: FirstAnswer) => {
    if (!hasCodePreview(answer[1])) answers.push(answer);
  };
  const work = Promise.all(
    queries.map(async ({ path, input }) => {
      const before = known.find(([name]) => name === path);
      if (before) return add(before);
      try {
        const data = await procedureOf(await open(), path)(input);
        add(input === undefined ? [path, data] : [path, data, input]);
      } catch {
        // The browser asks again, and shows the failure in its place.
      }
    }),
  );
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ANSWERS_WAIT_MS)))]);
  clearTimeout(timer);
  return [...answers];
}
