import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import type { StorageSettings } from '#server/core/provider-settings.ts';
import { checkFileName, type FileStorage, StorageFailure } from './storage.ts';

type S3Settings = Extract<StorageSettings, { kind: 's3' }>;

/** Per attempt, including the body of the answer. */
const DEFAULT_TIMEOUT_MS = 10_000;
/** All calls are idempotent. */
const TRIES = 2;

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * Stores files in a bucket of any S3-compatible service, addressed by path. The key needs GetObject, PutObject,
 * DeleteObject and ListBucket: without ListBucket the service answers 403 for a missing file, which looks like a
 * forbidden one.
 */
export function createS3Storage(settings: S3Settings, timeoutMs = DEFAULT_TIMEOUT_MS): FileStorage {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings;
  // The client's own retries do not cover failed connections.
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });

  const askOnce = async (method: string, url: string, bytes: Uint8Array | null): Promise<Answer> => {
    const answer = await client.fetch(url, {
      method,
      headers: {
        // Signed too, so the service refuses a body that changed on its way.
        'x-amz-content-sha256': createHash('sha256')
          .update(bytes ?? '')
          .digest('hex'),
        ...(bytes && { 'content-type': 'application/octet-stream' }),
      },
      ...(bytes && { body: new Uint8Array(bytes) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
  };

  /** @throws StorageFailure when there is no usable answer */
  const ask = async (method: string, name: string, bytes: Uint8Array | null = null): Promise<Answer> => {
    checkFileName(name);
    const url = `${endpoint}/${encodeURIComponent(bucket)}/${name}`;
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === TRIES;
      try {
        const answer = await askOnce(method, url, bytes);
        if (isLast || !isTransient(answer.status)) return checked(answer);
      } catch (error) {
        if (isLast || error instanceof StorageFailure) throw asFailure(error);
      }
    }
  };

  return {
    put: async (name, bytes) => {
      const answer = await ask('PUT', name, bytes);
      if (answer.status === 404) throw refusal(answer);
    },
    get: async (name) => {
      const answer = await ask('GET', name);
      return answer.status === 404 ? null : answer.body;
    },
    remove: async (name) => {
      await ask('DELETE', name);
    },
  };
}

/** Whether a retry may succeed. */
function isTransient(status: number): boolean {
  return status >= 500 || status === 429;
}

function checked(answer: Answer): Answer {
  const isMissingFile = answer.status === 404 && errorCodeOf(answer) !== 'NoSuchBucket';
  if (isMissingFile || (answer.status >= 200 && answer.status < 300)) return answer;
  throw refusal(answer);
}

/** S3's error code. The rest of the answer repeats the request, including the key's id. */
function errorCodeOf({ body }: Answer): string | undefined {
  return /<Code>(\w{1,60})<\/Code>/.exec(body.toString('latin1', 0, 2_000))?.[1];
}

function refusal(answer: Answer): StorageFailure {
  const code = errorCodeOf(answer);
  return new StorageFailure(`The storage answered ${answer.status}${code ? ` ${code}` : ''}`);
}

function asFailure(error: unknown): StorageFailure {
  if (error instanceof StorageFailure) return error;
  return new StorageFailure('The storage did not answer', { cause: error });
}
