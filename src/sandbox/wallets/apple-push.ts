import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';

interface Push {
  readonly token: string;
  readonly topic: string;
  readonly body: string;
}

/** A stand-in for Apple's push service: HTTP/2, and a client certificate of the pass type that is the topic. */
export interface ApplePushSandbox {
  readonly url: string;
  readonly pushes: Push[];
  /** Tokens that no device has any more. */
  readonly gone: Set<string>;
  /** Answers everything with 503 while it is true. */
  isDown: boolean;
  close(): Promise<void>;
}

/** @param given.authority who issues the certificates that it trusts */
export async function openApplePush(given: {
  readonly certificate: string;
  readonly key: string;
  readonly authority: string;
}): Promise<ApplePushSandbox> {
  const { certificate: cert, key, authority: ca } = given;
  const server = createSecureServer({ cert, key, ca, requestCert: true, rejectUnauthorized: true });
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sandbox: ApplePushSandbox = {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    pushes: [],
    gone: new Set(),
    isDown: false,
    close: () => {
      for (const session of sessions) session.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  answerPushes(server, sandbox);
  return sandbox;
}

function answerPushes(server: Http2SecureServer, sandbox: ApplePushSandbox): void {
  server.on('request', async (request, response) => {
    const answer = (status: number, reason?: string) => {
      response.writeHead(status);
      response.end(reason === undefined ? '' : JSON.stringify({ reason }));
    };
    let body = '';
    for await (const chunk of request) body += chunk;
    const token = /^\/3\/device\/([\w-]+)$/.exec(request.url)?.[1];
    const topic = String(request.headers['apns-topic'] ?? '');
    const socket = request.stream.session?.socket as TLSSocket;
    const { subject } = socket.getPeerCertificate() as { subject?: Record<string, string> };
    if (sandbox.isDown) return answer(503, 'ServiceUnavailable');
    if (request.method !== 'POST') return answer(405, 'MethodNotAllowed');
    if (!token) return answer(400, 'BadDeviceToken');
    if (subject?.UID !== topic) return answer(400, 'BadTopic');
    if (!['alert', 'background'].includes(String(request.headers['apns-push-type'])))
      return answer(400, 'InvalidPushType');
    if (sandbox.gone.has(token)) return answer(410, 'Unregistered');
    sandbox.pushes.push({ token, topic, body });
    return answer(200);
  });
}
