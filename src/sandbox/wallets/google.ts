import { createVerify, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createApp } from '#sandbox/server.ts';

const TYPES = [
  'AZTEC',
  'CODE_39',
  'CODE_128',
  'CODABAR',
  'DATA_MATRIX',
  'EAN_8',
  'EAN_13',
  'ITF_14',
] as const;
const MORE_TYPES = ['PDF_417', 'QR_CODE', 'UPC_A', 'TEXT_ONLY'] as const;

const words = z.strictObject({
  defaultValue: z.strictObject({ language: z.string().min(2), value: z.string().min(1) }),
});
const idSchema = z.string().regex(/^\d+\.[\w.-]+$/);

/** What it takes of the resource genericobject: https://developers.google.com/wallet/reference/rest/v1/genericobject */
const objectSchema = z.strictObject({
  id: idSchema,
  classId: idSchema,
  genericType: z.enum(['GENERIC_VOUCHER', 'GENERIC_OTHER']),
  state: z.enum(['ACTIVE', 'COMPLETED', 'EXPIRED', 'INACTIVE']),
  cardTitle: words,
  header: words,
  logo: z.strictObject({ sourceUri: z.strictObject({ uri: z.url() }), contentDescription: words }),
  hexBackgroundColor: z
    .string()
    .regex(/^#[0-9a-f]{6}$/)
    .optional(),
  barcode: z
    .strictObject({
      type: z.enum([...TYPES, ...MORE_TYPES]),
      value: z.string().min(1),
      renderEncoding: z.literal('UTF_8').optional(),
      alternateText: z.string().optional(),
    })
    .refine(({ type, alternateText }) => type !== 'TEXT_ONLY' || alternateText === undefined)
    .optional(),
  textModulesData: z
    .array(z.strictObject({ id: z.string(), header: z.string(), body: z.string() }))
    .optional(),
  linksModuleData: z
    .strictObject({
      uris: z.array(z.strictObject({ id: z.string(), uri: z.url(), description: z.string() })),
    })
    .optional(),
  validTimeInterval: z
    .strictObject({ end: z.strictObject({ date: z.iso.datetime({ offset: true }) }) })
    .optional(),
});
export type GoogleObject = z.output<typeof objectSchema>;

const classSchema = z.strictObject({
  id: idSchema,
  multipleDevicesAndHoldersAllowedStatus: z.literal('ONE_USER_ALL_DEVICES').optional(),
});

/** A stand-in for Google's tokens and its Wallet API. */
export interface GoogleWalletSandbox {
  readonly url: string;
  readonly objects: Map<string, GoogleObject>;
  /** Answers everything with 503 while it is true. */
  isDown: boolean;
  close(): Promise<void>;
}

/** @param account the service account that may act, and the public key of its signatures (PEM) */
export async function openGoogleWalletSandbox(account: {
  readonly email: string;
  readonly publicKey: string;
}): Promise<GoogleWalletSandbox> {
  const app = createApp();
  const tokens = new Set<string>();
  const classes = new Set<string>();
  const objects = new Map<string, GoogleObject>();
  const sandbox = { url: '', objects, isDown: false, close: () => app.close() };
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, JSON.parse(String(body))),
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.addHook('onRequest', async (request, reply) => {
    if (sandbox.isDown) return reply.status(503).send({});
    const { authorization = '' } = request.headers;
    if (request.url === '/token' || tokens.has(authorization.replace('Bearer ', ''))) return;
    return reply.status(401).send({ error: { message: 'Request had invalid authentication credentials.' } });
  });

  app.post<{ Body: { assertion?: string } }>('/token', async ({ body }, reply) => {
    if (!isSignedFor(body.assertion ?? '', account, `${sandbox.url}/token`))
      return reply.status(400).send({ error: 'invalid_grant', error_description: 'Invalid JWT Signature.' });
    const token = randomUUID();
    tokens.add(token);
    return { access_token: token, expires_in: 3599, token_type: 'Bearer' };
  });
  app.post('/walletobjects/v1/genericClass', async ({ body }, reply) => {
    const given = classSchema.safeParse(body);
    if (!given.success) return reply.status(400).send({});
    const status = classes.has(given.data.id) ? 409 : 200;
    classes.add(given.data.id);
    return reply.status(status).send({});
  });
  app.post('/walletobjects/v1/genericObject', async ({ body }, reply) => {
    const given = objectSchema.safeParse(body);
    if (!given.success || !classes.has(given.data.classId)) return reply.status(400).send({});
    if (objects.has(given.data.id)) return reply.status(409).send({});
    objects.set(given.data.id, given.data);
    return {};
  });
  app.put<{ Params: { id: string } }>(
    '/walletobjects/v1/genericObject/:id',
    async ({ params: { id }, body }, reply) => {
      const given = objectSchema.safeParse(body);
      if (!given.success || given.data.id !== id) return reply.status(400).send({});
      if (!objects.has(id)) return reply.status(404).send({});
      objects.set(id, given.data);
      return {};
    },
  );
  sandbox.url = await app.listen({ host: '127.0.0.1', port: 0 });
  return sandbox;
}

const claimsSchema = z.object({ iss: z.string(), aud: z.string(), scope: z.string(), exp: z.number() });

function isSignedFor(
  assertion: string,
  { email, publicKey }: { readonly email: string; readonly publicKey: string },
  audience: string,
): boolean {
  const [head = '', payload = '', signature = ''] = assertion.split('.');
  const isSigned = createVerify('RSA-SHA256')
    .update(`${head}.${payload}`)
    .verify(publicKey, signature, 'base64url');
  if (!isSigned) return false;
  const claims = claimsSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString())).data;
  return (
    claims?.iss === email &&
    claims.aud === audience &&
    claims.scope === 'https://www.googleapis.com/auth/wallet_object.issuer' &&
    claims.exp > Date.now() / 1_000
  );
}
