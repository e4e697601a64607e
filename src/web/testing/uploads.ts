import { vi } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { startSession } from '#server/domains/sessions/service.ts';
import type { TestApp } from '#server/testing/app.ts';
import { sessionCookieName } from '#server/trpc/context.ts';

const BORDER = 'x-border';

/** A form of one file as browsers send it. */
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
 * Lets the page's uploads, which go out by XMLHttpRequest, reach the very application that production runs. Undone by
 * `vi.unstubAllGlobals()`.
 * @param answer answers instead of the server; 'none' is a network that fails
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

    open(_method: string, url: string): void {
      this.#url = url;
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
