import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppDeps } from '#server/trpc/context.ts';
import { type Caller, callerFor, callerWithoutSession, RECORDING } from './caller.ts';
import { floorOf, securityOf } from './openapi.ts';

const PASS_TYPE = 'application/vnd.apple.pkpass';

/** A push token or a few lines of a log. */
const BODY_LIMIT = 16 * 1024;

interface Params {
  readonly passType: string;
  readonly serial: string;
  readonly deviceId: string;
}

/** The session's own pass, for Safari, and the web service that Apple's wallet calls (PassKit Web Service, version 1). */
export async function registerAppleWallet(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerFile(app, deps);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // Whatever its type, and also of a DELETE without any.
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, fieldsOf(body)),
    );
    registerService(scope, deps);
  });
}

function fieldsOf(body: string | Buffer): object {
  try {
    return Object(JSON.parse(String(body)));
  } catch {
    return {};
  }
}

function registerService(app: FastifyInstance, deps: AppDeps): void {
  const options = { schema: { hide: true }, bodyLimit: BODY_LIMIT, config: { isFromAnywhere: true } };
  type Answer = (caller: Caller, request: WalletRequest, reply: FastifyReply) => Promise<unknown>;
  const answering = (answer: Answer) => async (request: FastifyRequest, reply: FastifyReply) =>
    answer(await callerWithoutSession(deps, request, reply), asWallet(request), reply);

  const registration = '/api/apple-wallet/v1/devices/:deviceId/registrations/:passType/:serial';
  app.post(
    registration,
    options,
    answering(async ({ walletPasses }, { params, authorization, body }, reply) => {
      const { isNew } = await walletPasses.register({
        ...params,
        authorization,
        pushToken: text(body.pushToken),
      });
      return reply.status(isNew ? 201 : 200).send();
    }),
  );
  app.delete(
    registration,
    options,
    answering(async ({ walletPasses }, { params, authorization }, reply) => {
      await walletPasses.unregister({ ...params, authorization });
      return reply.send();
    }),
  );
  app.get(
    '/api/apple-wallet/v1/devices/:deviceId/registrations/:passType',
    options,
    answering(async ({ walletPasses }, { params: { deviceId, passType }, since }, reply) => {
      const changed = await walletPasses.changed({ deviceId, passType, since });
      return changed.serialNumbers.length > 0 ? changed : reply.status(204).send();
    }),
  );
  app.get(
    '/api/apple-wallet/v1/passes/:passType/:serial',
    options,
    answering(
      async ({ walletPasses }, { params: { passType, serial }, authorization, modifiedSince }, reply) => {
        const latest = await walletPasses.latest({ passType, serial, authorization, since: modifiedSince });
        reply.header('last-modified', new Date(latest.changedAt).toUTCString());
        if (latest.bytes === null) return reply.status(304).send();
        return sendPass(reply, latest.bytes);
      },
    ),
  );
  app.post(
    '/api/apple-wallet/v1/log',
    options,
    answering(async ({ walletPasses }, { body }, reply) => {
      const logs = Array.isArray(body.logs) ? body.logs.map(text) : [];
      await walletPasses.log({ logs });
      return reply.send();
    }),
  );
}

function registerFile(app: FastifyInstance, deps: AppDeps): void {
  const schema = {
    summary: 'The pass that the caller has asked for with the code of their own coupon; records the view',
    operationId: 'walletPasses.file',
    tags: [floorOf('walletPasses.file')],
    params: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    response: {
      200: {
        description: 'Success',
        content: { [PASS_TYPE]: { schema: { type: 'string', format: 'binary' } } },
      },
    },
    security: securityOf('walletPasses.file'),
  };
  app.get<{ Params: { id: string } }>(
    '/api/coupons/:id/wallet-pass.pkpass',
    { schema, config: { changesState: RECORDING.has('walletPasses.file') } },
    async (request, reply) => {
      const caller = await callerFor(deps, request, reply);
      const { bytes } = await caller.walletPasses.file({ id: Number(request.params.id) });
      return sendPass(reply, bytes);
    },
  );
}

function sendPass(reply: FastifyReply, bytes: Uint8Array) {
  reply.headers({ 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' });
  return reply.type(PASS_TYPE).send(Buffer.from(bytes));
}

interface WalletRequest {
  readonly params: Params;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  readonly since: string | undefined;
  /** The procedure refuses what is no date. */
  readonly modifiedSince: string | undefined;
}

/** What Apple's wallet sends, wherever it is; the procedures check it. */
function asWallet(request: FastifyRequest): WalletRequest {
  const { passesUpdatedSince } = request.query as { readonly passesUpdatedSince?: string };
  const given = Date.parse(request.headers['if-modified-since'] ?? '');
  return {
    params: request.params as Params,
    authorization: request.headers.authorization,
    body: Object(request.body),
    since: passesUpdatedSince,
    modifiedSince: Number.isNaN(given) ? undefined : new Date(given).toISOString(),
  };
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
