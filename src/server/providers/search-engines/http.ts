/** What the engines are told of. */
export interface Site {
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** Pages that are new or have changed. */
  readonly urls: readonly string[];
}

/** How long one engine is waited for. */
export const TIMEOUT_MS = 10_000;

/** An answer is read no further than this. */
const MAX_ANSWER_BYTES = 65_536;

/** Why an engine has not accepted, in words for an admin. Keys and tokens are not in it. */
export class EngineRefusal extends Error {
  override readonly name = 'EngineRefusal';
}

interface EngineRequest {
  readonly method: 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface EngineAnswer {
  readonly status: number;
  readonly text: string;
}

/** Asks once; redirects are not followed, since they would carry keys elsewhere. @throws EngineRefusal */
export async function askEngine(
  url: string,
  request: EngineRequest,
  signal: AbortSignal,
): Promise<EngineAnswer> {
  try {
    const response = await fetch(url, { ...request, redirect: 'manual', signal });
    return { status: response.status, text: await readBounded(response) };
  } catch {
    // The reason is not kept: it may hold the address, and that a key.
    throw new EngineRefusal(signal.aborted ? 'Did not answer in time.' : 'Could not be reached.');
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (length > MAX_ANSWER_BYTES) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The JSON of an answer; undefined where it is something else. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Another's words in ours: one line, and not too much of it. */
export function quote(words: string): string {
  return words.replace(/\s+/g, ' ').trim().slice(0, 200);
}
