import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const ACCOUNT = { region: 'eu-central-1', accessKeyId: 'AKIDSANDBOX', secretAccessKey: 'the/secret+key' };
const BUCKET = 'pictures';

/** A fault of one request: a status to answer, no answer, or a cut in the middle of the answer. */
type Fault = number | 'hang' | 'cut';

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();

/** The signature that AWS Signature Version 4 requires, calculated from the received request. */
function signatureOf(request: IncomingMessage, signedHeaders: string): string {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://here');
  const at = String(request.headers['x-amz-date']);
  const scope = [at.slice(0, 8), ACCOUNT.region, 's3', 'aws4_request'];
  const headers = signedHeaders.split(';').map((name) => `${name}:${request.headers[name] ?? ''}\n`);
  const canonical = [
    request.method,
    pathname,
    searchParams.toString(),
    headers.join(''),
    signedHeaders,
    request.headers['x-amz-content-sha256'],
  ].join('\n');
  const key = scope.reduce<Buffer | string>(
    (above, part) => hmac(above, part),
    `AWS4${ACCOUNT.secretAccessKey}`,
  );
  return hmac(key, ['AWS4-HMAC-SHA256', at, scope.join('/'), sha256(canonical)].join('\n')).toString('hex');
}

/** S3's error code for a request that it would refuse; null if it would accept it. */
function refusalOf(request: IncomingMessage, body: Buffer): string | null {
  const given = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\S+, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
    request.headers.authorization ?? '',
  );
  const [, keyId, signedHeaders = '', signature] = given ?? [];
  if (keyId !== ACCOUNT.accessKeyId) return 'InvalidAccessKeyId';
  const covered = ['host', 'x-amz-content-sha256', 'x-amz-date'];
  if (!covered.every((name) => signedHeaders.split(';').includes(name))) return 'AccessDenied';
  if (signature !== signatureOf(request, signedHeaders)) return 'SignatureDoesNotMatch';
  return request.headers['x-amz-content-sha256'] === sha256(body) ? null : 'XAmzContentSHA256Mismatch';
}

/** An error as S3 formats it; like S3, it repeats what was sent. */
function errorText(code: string, request: IncomingMessage): string {
  const sent = `<AWSAccessKeyId>${ACCOUNT.accessKeyId}</AWSAccessKeyId><StringToSign>${request.headers.authorization}`;
  return `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message>${sent}</StringToSign></Error>`;
}

/** A loopback service with a bucket that implements the part of S3 that we use, including signatures. */
export async function openS3Sandbox() {
  const files = new Map<string, Buffer>();
  const asked: string[] = [];
  /** The faults of the next requests, in order. */
  const faults: Fault[] = [];

  const server = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const body = await buffer(request);
    const refuse = (status: number, code: string) => response.writeHead(status).end(errorText(code, request));
    const fault = faults.shift();
    if (fault === 'hang') return;
    if (fault === 'cut') {
      response.writeHead(200, { 'content-length': 1_000 }).write('half an answer');
      setTimeout(() => response.destroy(), 10);
      return;
    }
    if (fault !== undefined) return refuse(fault, 'InternalError');
    const refusal = refusalOf(request, body);
    if (refusal !== null) return refuse(refusal === 'XAmzContentSHA256Mismatch' ? 400 : 403, refusal);
    const [, bucket, key = ''] = (request.url ?? '').split('/');
    if (bucket !== BUCKET) return refuse(404, 'NoSuchBucket');
    if (request.method === 'PUT') {
      files.set(key, body);
      return response.writeHead(200).end();
    }
    if (request.method === 'DELETE') {
      files.delete(key);
      return response.writeHead(204).end();
    }
    const file = files.get(key);
    return file ? response.writeHead(200).end(file) : refuse(404, 'NoSuchKey');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // A server on a TCP port has this kind of address.
  const { port } = server.address() as AddressInfo;

  return {
    settings: { kind: 's3', endpoint: `http://127.0.0.1:${port}`, bucket: BUCKET, ...ACCOUNT } as const,
    files,
    asked,
    faults,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
