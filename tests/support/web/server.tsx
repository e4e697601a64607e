import { QueryClientProvider } from '@tanstack/react-query';
import type { RenderResult } from '@testing-library/react';
import { httpLink } from '@trpc/client';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import type { SessionUser } from '#contract/people/accounts.ts';
import type { Actor } from '#server/context/context.ts';
import { OUR_PAGE, type TestApp } from '#tests/support/app.ts';
import { Dialogs } from '#web/app/dialog-outlet.ts';
import { Toaster } from '#web/app/toaster.tsx';
import { takeFirstAnswers } from '#web/lib/first-answers.ts';
import { createQueryClient } from '#web/lib/query-client.ts';
import { trpc } from '#web/lib/trpc.ts';
import { renderFor, somebody } from './render.tsx';

/** May answer a call instead of the server, for states that are hard to cause there. */
export type Intercept = (procedure: string, input: unknown) => Response | Promise<Response> | undefined;

/** An internal error. */
export function brokenAnswer(): Response {
  const wire = { error: 'Something went wrong on our side.', code: 'internal' };
  const data = { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, wire };
  return Response.json({ error: { message: wire.error, code: -32_603, data } }, { status: 500 });
}

/** Renders for a signed-in person, or for a visitor; calls reach the real application. */
export function renderWithServer(
  server: TestApp,
  who: Actor | null,
  children: ReactNode,
  options: {
    address?: string;
    intercept?: Intercept;
    hasDataRouter?: boolean;
    user?: Partial<SessionUser>;
  } = {},
): RenderResult {
  const { address = '/', intercept, hasDataRouter, user } = options;
  const client = trpc.createClient({
    links: [httpLink({ url: 'http://localhost/api/trpc', fetch: injected(server, who, intercept) })],
  });
  const queryClient = createQueryClient();
  const { queries } = queryClient.getDefaultOptions();
  // query-client.test.tsx has the second that it takes.
  queryClient.setDefaultOptions({ queries: { ...queries, retryDelay: 0 } });
  takeFirstAnswers(queryClient);
  return renderFor(
    who && somebody({ id: who.id, username: who.username, role: who.role, status: who.status, ...user }),
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        {children}
        <Address />
        <Dialogs />
        <Toaster />
      </QueryClientProvider>
    </trpc.Provider>,
    address,
    hasDataRouter,
  );
}

function injected(server: TestApp, who: Actor | null, intercept: Intercept | undefined) {
  return async (input: RequestInfo | URL | string, options?: RequestInit): Promise<Response> => {
    const url = new URL(String(input));
    const sent: unknown = typeof options?.body === 'string' ? JSON.parse(options.body) : undefined;
    const answer = intercept?.(url.pathname.replace('/api/trpc/', ''), sent);
    if (answer) return answer;
    const { statusCode, body } = await server.call(who, {
      method: options?.method === 'POST' ? 'POST' : 'GET',
      url: url.pathname + url.search,
      headers: OUR_PAGE,
      ...(typeof options?.body === 'string' && { body: options.body }),
    });
    return new Response(body, { status: statusCode, headers: { 'content-type': 'application/json' } });
  };
}

/** Shows the current address to the test. */
function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}
