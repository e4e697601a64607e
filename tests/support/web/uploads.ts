import { vi } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { startSession } from '#server/people/sessions/sessions.ts';
import { sessionCookieName } from '#server/trpc/context.ts';
import type { TestApp } from '#tests/support/app.ts';

const BORDER = 'x-border';

/** Encodes a form with one file as browsers do. */
async function encode(form: FormData): Promise<Buffer> {
  const [[name, file] = ['', '']] = [...form.entries()];
  if (typeof file === 'string') throw new Error('The form holds no file');
  const head = `Content-Disposition: form-data; name="${name}"; filename="${file.name}"\r\nContent-Type: ${file.type}`;
  return Buffer.concat([
    Buffer.from(`--${BORDER}\r\n${head}\r\n\r\n`),
    Buffer.from(await file.arrayBuffer()),
    Buffer.from(`\r\n--${BORDER}--\r\n`),
  ]);
}

/**
 * Makes the page's uploads by XMLHttpRequest reach the real application. Undone by `vi.unstubAllGlobals()`.
 * @param answer the answer instead of the server's; 'none' is a network failure
 */
export function injectUploads(
  server: TestApp,
  who: Actor | null,
  answer?: { status: number; body: string } | 'none',
) {
  class InjectedRequest extends EventTarget {
    readonly upload = new EventTarget();
    status = 0;
    statusText = '';
    responseText = '';
    #url = '';
    readonly #headers: Record<string, string> = {};

    open(_method: string, url: string): void {
      this.#url = url;
    }

    setRequestHeader(name: string, value: string): void {
      this.#headers[name] = value;
    }

    abort(): void {
      this.dispatchEvent(new Event('abort'));
    }

    send(form: FormData): void {
      void this.#reach(form).then(
        () => this.dispatchEvent(new Event('load')),
        () => this.dispatchEvent(new Event('error')),
      );
    }

    async #reach(form: FormData): Promise<void> {
      const payload = await encode(form);
      if (answer === 'none') throw new Error('No network');
      const session = who && (await startSession(server.ctx.db, server.ctx.clock, who.id));
      const { statusCode, body } = answer
        ? { statusCode: answer.status, body: answer.body }
        : await server.app.inject({
            method: 'POST',
            url: this.#url,
            headers: {
              ...this.#headers,
              'content-type': `multipart/form-data; boundary=${BORDER}`,
              ...(session && { cookie: `${sessionCookieName(server.deps.config)}=${session.token}` }),
            },
            payload,
          });
      this.status = statusCode;
      this.responseText = body;
    }
  }
  vi.stubGlobal('XMLHttpRequest', InjectedRequest);
}
