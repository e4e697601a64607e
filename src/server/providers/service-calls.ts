import { t } from '@lingui/core/macro';
/** Time limit of a call. */
export const TIMEOUT_MS = 10_000;

/** The rest of a longer answer is ignored. */
const MAX_ANSWER_BYTES = 65_536;

/** Why another service refused a call, in words for an admin; without keys and tokens. */
export class ServiceRefusal extends Error {
  override readonly name = 'ServiceRefusal';
}

interface ServiceRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface ServiceAnswer {
  readonly status: number;
  readonly text: string;
}

/** Makes one request. Redirects are not followed, because they would carry keys elsewhere. @throws ServiceRefusal */
export async function askService(
  url: string,
  request: ServiceRequest,
  signal: AbortSignal,
): Promise<ServiceAnswer> {
  try {
    const response = await fetch(url, { ...request, redirect: 'manual', signal });
    return { status: response.status, text: await readBounded(response) };
  } catch {
    // The error is dropped: it may hold the address, which holds a key.
    throw new ServiceRefusal(signal.aborted ? t`Did not answer in time.` : t`Could not be reached.`);
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop cancels the request.
    if (length > MAX_ANSWER_BYTES) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The parsed JSON of an answer; undefined if it is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A service's own text as one short line. */
export function quote(words: string): string {
  return words.replace(/\s+/g, ' ').trim().slice(0, 200);
}
