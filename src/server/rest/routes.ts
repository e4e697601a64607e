import { t } from '@lingui/core/macro';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '#contract/base/primitives.ts';
import { AppError } from '#server/core/errors.ts';
import type { AppDeps } from '#server/trpc/context.ts';
import { callerFor, callReadingOnce, procedureOf, RECORDING } from './caller.ts';
import { deprecationHeaders } from './deprecation.ts';
import { isKnown, tagOf } from './etags.ts';
import { describeCall } from './openapi.ts';
import { REST_CALLS, type RestCall, takesKey } from './table.ts';

type Input = Record<string, unknown>;

/**
 * Converts a query or path text to the number or boolean that the procedure's input wants; any other text
 * stays as it is.
 */
function fromText(text: unknown, type: string | undefined): unknown {
  if (typeof text !== 'string') return text;
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

function readInput(request: FastifyRequest, call: RestCall, types: Record<string, string>): Input {
  const body = request.body ?? {};
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new AppError('bad_input', t`The body must be a JSON object`);
  }
  const fromAddress = {
    ...(call.method === 'GET' ? (request.query as Input) : {}),
    ...(request.params as Input),
  };
  const typed = Object.entries(fromAddress).map(([name, text]) => [name, fromText(text, types[name])]);
  return { ...body, ...Object.fromEntries(typed), ...call.input };
}

/** Answers a page of a list as a bare array, with total and next page in the headers (decisions 6.6). */
function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page<unknown>): FastifyReply {
  reply.header('X-Total-Count', String(page.total));
  if (page.totalIsCapped) reply.header('X-Total-Is-Capped', 'true');
  const linkTo = (cursor: string | null, relation: string) => {
    if (cursor === null) return [];
    const url = new URL(request.url, 'http://here');
    url.searchParams.set('page', cursor);
    return [`<${url.pathname}${url.search}>; rel="${relation}"`];
  };
  const links = [
    ...[reply.getHeader('Link') ?? []].flat(),
    ...linkTo(page.previousCursor, 'prev'),
    ...linkTo(page.nextCursor, 'next'),
  ];
  if (links.length > 0) reply.header('Link', links.join(', '));
  return reply.send(page.items);
}

/** Registers a route for each entry of the table. */
export function registerRestRoutes(app: FastifyInstance, deps: AppDeps): void {
  for (const call of REST_CALLS) {
    app.route({
      method: call.method,
      url: call.path,
      config: {
        changesState: call.changesState || RECORDING.has(call.procedure),
        // When somebody asks for the document: the descriptions of all calls would fill megabytes.
        swaggerTransform: ({ url }) => ({ url, schema: describeCall(call).schema }),
      },
      handler: async (request, reply) => {
        if (call.deprecation) reply.headers(deprecationHeaders(call.deprecation));
        const { isPage, inputTypes } = describeCall(call);
        const input = readInput(request, call, inputTypes);
        const answer = takesKey(call)
          ? await callReadingOnce(deps, request, reply, call.procedure, async () => input)
          : await procedureOf(await callerFor(deps, request, reply), call.procedure)(input);
        if (isPage && request.bearerKey !== null) {
          const etag = tagOf(answer);
          reply.header('ETag', etag);
          if (isKnown(request.headers['if-none-match'], etag)) return reply.status(304).send();
        }
        reply.status(call.status);
        return isPage ? sendPage(request, reply, answer as Page<unknown>) : reply.send(answer);
      },
    });
  }
}
