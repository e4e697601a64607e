import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { marketName } from '#contract/base/market.ts';
import { baseCurrency } from '#contract/base/money.ts';
import { type ApiScope, IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_MAX } from '#contract/people/api-keys.ts';
import { TEST_EVENT, WEBHOOK_EVENTS, webhookBodySchema } from '#contract/people/webhooks.ts';
import type { Config } from '#server/core/config.ts';
import { appRouter, FLOORS } from '#server/router.ts';
import { sessionCookieName } from '#server/trpc/context.ts';
import { neededScopes } from '#server/trpc/scopes.ts';
import { exampleOf } from './examples.ts';
import { answerOf, type JsonSchema, resolved, toJsonSchema } from './json-schemas.ts';
import { type Document, PARAMETERS, UNCHANGED, withSharedParts } from './shared-parts.ts';
import { REST_CALLS, type RestCall, takesKey } from './table.ts';

interface ProcedureDefinition {
  type: 'query' | 'mutation';
  inputs: z.ZodType[];
  output?: z.ZodType;
  meta?: { summary?: string; isForMembers?: boolean };
}

/** How the API writes money and time. */
export function units(): string {
  return (
    `Amounts are in ${baseCurrency()}. Bids, payments and fees are decimal texts ("12.50"). Values of coupons are ` +
    'integers: cents, or hundredths of a per cent. Each field says which it is. Instants are UTC.'
  );
}

function definitionOf(path: string): ProcedureDefinition {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: ProcedureDefinition }>;
  const procedure = procedures[path];
  if (!procedure) throw new Error(`The REST API names a procedure that is not there: ${path}`);
  return procedure._def;
}

/** The floor of the house that a call belongs to. @param path the name of its procedure */
export function floorOf(path: string): string {
  const [room = ''] = path.split('.');
  return Object.entries(FLOORS).find(([, rooms]) => room in rooms)?.[0] ?? '';
}

/** The scopes that a key needs for a call; null: no key may make it. @param path the name of its procedure */
export function scopesOf(path: string): ApiScope[] | null {
  return neededScopes(path, definitionOf(path).type);
}

/**
 * Who may make a call, for the document: a key with these scopes, a browser that is signed in, and, where it is public,
 * anybody. OpenAPI 3.1 has scopes for every kind of scheme.
 * @param path the name of its procedure
 */
export function securityOf(path: string): { [scheme: string]: string[] }[] {
  const scopes = scopesOf(path);
  const isPublic = !definitionOf(path).meta?.isForMembers;
  return [...(isPublic ? [{}] : []), ...(scopes ? [{ key: scopes }] : []), { session: [] }];
}

/** The part of an object schema with the properties that `keep` accepts; undefined when there are none. */
function pick(schema: JsonSchema, keep: (name: string) => boolean): JsonSchema | undefined {
  const names = Object.keys(schema.properties ?? {}).filter(keep);
  if (names.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, schema.properties?.[name] ?? {}])),
    required: (schema.required ?? []).filter(keep),
    ...('additionalProperties' in schema && { additionalProperties: schema.additionalProperties }),
  };
}

/** Unique in the document: a second path of the same call gets the suffix `.alias`. */
function operationId(call: RestCall): string {
  const idOf = ({ procedure, input }: RestCall) => [procedure, ...Object.values(input)].join('.');
  const id = idOf(call);
  return REST_CALLS.find((other) => idOf(other) === id) === call ? id : `${id}.alias`;
}

/** The type that a text from the address may stand for; of several, the first. */
function typeOf(schema: JsonSchema): string {
  const { type, anyOf: [first] = [] } = resolved(schema);
  return type ?? (first && resolved(first).type) ?? '';
}

/** Reading the schemas of all calls takes long, and they stay the same. */
const descriptions = new Map<RestCall, ReturnType<typeof readDescription>>();

/** Describes a call by the procedure's own schemas: for reading inputs, and for the documentation. */
export function describeCall(call: RestCall) {
  const description = descriptions.get(call) ?? readDescription(call);
  descriptions.set(call, description);
  return description;
}

/** The header of a call that is done once under a key, for the document. */
export const KEY_HEADER = {
  type: 'object',
  properties: {
    [IDEMPOTENCY_KEY]: {
      type: 'string',
      maxLength: IDEMPOTENCY_KEY_MAX,
      description: 'The same call with the same key is done once, and answered alike for a day',
    },
  },
};

function readDescription(call: RestCall) {
  const procedure = definitionOf(call.procedure);
  const input: JsonSchema = procedure.inputs[0] ? resolved(toJsonSchema(procedure.inputs[0], 'input')) : {};
  const output: JsonSchema = procedure.output ? toJsonSchema(procedure.output, 'output') : {};
  const inPath = (name: string) => call.path.split('/').includes(`:${name}`);
  const picked = pick(input, (name) => !inPath(name) && !(name in call.input));
  const example = exampleOf(call)?.body;
  const rest = picked && example ? { ...picked, examples: [example] } : picked;
  const params = pick(input, inPath);
  // A page of a list is answered as a bare array; the rest goes into X-Total-Count and Link.
  const isPage = output.properties?.nextCursor !== undefined;
  const answer = isPage ? (output.properties?.items ?? {}) : output;
  return {
    isPage,
    /** The JSON type of each input property, for converting texts from the address. */
    inputTypes: Object.fromEntries(
      Object.entries(input.properties ?? {}).map(([name, property]) => [name, typeOf(property)]),
    ),
    schema: {
      summary: procedure.meta?.summary ?? '',
      operationId: operationId(call),
      tags: [floorOf(call.procedure)],
      security: securityOf(call.procedure),
      ...(call.deprecation && { deprecated: true }),
      ...(params && { params }),
      ...(takesKey(call) && { headers: KEY_HEADER }),
      ...(rest && (call.method === 'GET' ? { querystring: rest } : { body: rest })),
      response: {
        [call.status]: answerOf(answer),
        ...(isPage && { 304: { description: UNCHANGED, type: 'null' } }),
      },
    },
  };
}

/** What comes with each webhook. */
const WEBHOOK_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** What we send to people's own programs. */
function describeWebhooks() {
  const headers = WEBHOOK_HEADERS.map((name) => ({ $ref: `${PARAMETERS}${name}` }));
  // OpenAPI knows more ways to write a schema than its types do.
  return Object.fromEntries(
    ([...WEBHOOK_EVENTS, TEST_EVENT] as const).map((type) => [
      type,
      {
        post: {
          operationId: `webhook.${type}`,
          parameters: headers,
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: toJsonSchema(webhookBodySchema(type), 'output') as object },
            },
          },
          responses: { '2XX': { description: 'Taken' } },
        },
      },
    ]),
  );
}

/** Collects the routes into an OpenAPI document, served at /api/openapi.json. */
export async function registerOpenApi(
  app: FastifyInstance,
  config: Pick<Config, 'publicUrl'>,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${marketName()} API`,
        version: '1',
        description: `Every call of the marketplace. Programs send a key: "Authorization: Bearer clipswap_…"; people make them in their settings. A browser signs in with POST /api/login and has its session in a cookie. Webhooks are signed as Standard Webhooks describe; any 2xx status takes one. ${units()}`,
      },
      servers: [{ url: config.publicUrl }],
      components: {
        securitySchemes: {
          key: {
            type: 'http',
            scheme: 'bearer',
            description: 'A key for programs; each call names the scopes that it needs',
          },
          session: { type: 'apiKey', in: 'cookie', name: sessionCookieName(config) },
        },
        parameters: Object.fromEntries(
          WEBHOOK_HEADERS.map((name) => [
            name,
            { name, in: 'header' as const, required: true, schema: { type: 'string' as const } },
          ]),
        ),
      },
      tags: Object.keys(FLOORS).map((name) => ({ name })),
      webhooks: describeWebhooks(),
    },
    transformObject: (given) =>
      'openapiObject' in given
        ? withSharedParts(given.openapiObject as unknown as Document)
        : given.swaggerObject,
  });
  app.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
