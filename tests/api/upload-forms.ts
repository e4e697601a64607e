import type { LightMyRequestResponse } from 'fastify';
import type { Actor } from '#server/context/context.ts';
import { startSession } from '#server/people/sessions/sessions.ts';
import { sessionCookieName } from '#server/trpc/context.ts';
import type { TestApp } from '#tests/support/app.ts';

export interface UploadForm {
  /** The last part of the call's path. */
  readonly path?: string;
  readonly field?: string;
  /** Null for a form without a file. */
  readonly file?: Buffer | null;
  /** Further files, in the same field. */
  readonly more?: readonly Buffer[];
  /** Text fields. */
  readonly fields?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

const BORDER = 'x-border';

/** A form as browsers send it. */
export function formOf({ file = null, field = 'qrCodeImage', more = [], fields = {} }: UploadForm) {
  const files = [...(file ? [file] : []), ...more];
  const parts = [
    ...Object.entries(fields).map(([name, text]) => ({ head: `name="${name}"`, body: Buffer.from(text) })),
    ...files.map((body) => ({
      head: `name="${field}"; filename="code.png"\r\nContent-Type: image/png`,
      body,
    })),
  ];
  const framed = parts.flatMap(({ head, body }) => [
    Buffer.from(`--${BORDER}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    body,
    Buffer.from('\r\n'),
  ]);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${BORDER}` },
    payload: Buffer.concat([...framed, Buffer.from(`--${BORDER}--\r\n`)]),
  };
}

/** Sends a form with the session of `who`; null is nobody. */
export async function uploadFile(
  { app, ctx, deps }: TestApp,
  who: Actor | null,
  form: UploadForm,
): Promise<LightMyRequestResponse> {
  const { headers, payload } = formOf(form);
  const session = who && (await startSession(ctx.db, ctx.clock, who.id));
  return app.inject({
    method: 'POST',
    url: `/api/upload/${form.path ?? 'qrcode'}`,
    headers: {
      ...headers,
      ...(session && { cookie: `${sessionCookieName(deps.config)}=${session.token}` }),
      ...form.headers,
    },
    payload,
  });
}
