import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LANGUAGE_COOKIE, type Language, languageOfPath, toLanguage } from '#contract/base/i18n.ts';
import { inLanguage, preferredLanguage } from '#server/core/language.ts';

/**
 * The language of the answer to a request. An address of a language has that one. A page or a file that somebody opens
 * comes in the language that they have chosen in this browser, else in one that the browser prefers; an answer for a
 * program in what its `Accept-Language` says: our pages name theirs.
 */
export function languageOf({ url, headers, cookies = {} }: FastifyRequest): Language {
  const ofPath = languageOfPath(url);
  if (ofPath !== 'en') return ofPath;
  const isOpened = !url.startsWith('/api') || headers['sec-fetch-mode'] === 'navigate';
  const chosen = isOpened ? cookies[LANGUAGE_COOKIE] : undefined;
  return chosen === undefined ? preferredLanguage(headers['accept-language']) : toLanguage(chosen);
}

/** Answers each request in its language. Twice: what is read of a body's stream in between would lose it. */
export function registerLanguage(app: FastifyInstance): void {
  for (const name of ['onRequest', 'preHandler'] as const)
    app.addHook(name, (request: FastifyRequest, _reply: unknown, done: () => void) =>
      inLanguage(languageOf(request), done),
    );
}
