import { Client, type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { LightMyRequestResponse } from 'fastify';
import type { TestApp } from './app.ts';

/** What a tool has answered. */
interface ToolAnswer {
  readonly isError: boolean;
  /** As it came. */
  readonly text: string;
  readonly json: unknown;
}

/** An assistant that is connected by the protocol's own client. */
export interface Assistant {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
}

/** The fetch of a client that reaches the application without a socket. */
export const fetchOf =
  ({ app }: Pick<TestApp, 'app'>): FetchLike =>
  async (url, init = {}) => {
    const { pathname, search } = new URL(String(url));
    const headers = Object.fromEntries(new Headers(init.headers));
    const method = (init.method ?? 'GET') as 'GET';
    const payload = typeof init.body === 'string' ? init.body : init.body?.toString();
    const answer: LightMyRequestResponse = await app.inject({
      method,
      url: pathname + search,
      headers,
      ...(payload !== undefined && { payload }),
    });
    const given = Object.entries(answer.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const isEmpty = [202, 204, 304].includes(answer.statusCode);
    return new Response(isEmpty ? null : answer.body, { status: answer.statusCode, headers: given });
  };

/** Connects an assistant with a key, by the current protocol or the one before. */
export async function connectAssistant(
  test: Pick<TestApp, 'app' | 'ctx'>,
  token: string,
  { isEarlier = false }: { isEarlier?: boolean } = {},
): Promise<Assistant> {
  const mode = isEarlier ? ('legacy' as const) : { pin: '2026-07-28' };
  const client = new Client({ name: 'Test assistant', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', test.ctx.config.publicUrl), {
    authProvider: { token: async () => token },
    fetch: fetchOf(test),
  });
  await client.connect(transport);
  return {
    client,
    async call(name, args = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      const [part] = content;
      const text = part?.type === 'text' ? part.text : '';
      return { isError, text, json: isError && !text.startsWith('{') ? text : JSON.parse(text) };
    },
  };
}
