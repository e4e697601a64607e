import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';

/** A pooler in transaction mode before a database. */
export interface Pooler {
  /** The database through the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

/** Connections to the database, shared by all clients. More than one, so that a client does not keep its own. */
const SERVERS = 3;
const STARTUP = 196_608;
const CANCEL = 80_877_102;
const TLS = 80_877_103;
/** What PgBouncer accepts by default when a connection opens; it remembers these for each client. */
const KNOWN = ['user', 'database', 'client_encoding', 'datestyle', 'timezone'].concat(
  'standard_conforming_strings',
  'application_name',
);

/** A message of PostgreSQL's protocol. */
function message(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.from(`${type}\0\0\0\0`);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const status = (name: string, value: string) => message('S', `${name}\0${value}\0`);
const READY = message('Z', 'I');
const fatal = (text: string) => message('E', `SFATAL\0VFATAL\0C08P01\0M${text}\0\0`);

/** Cuts a stream into messages. @param hasType whether the next one begins with its type: the first ones do not */
function reader(onMessage: (whole: Buffer) => void, hasType: () => boolean) {
  let rest = Buffer.alloc(0);
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const start = hasType() ? 1 : 0;
      if (rest.length < start + 4) return;
      const length = start + rest.readInt32BE(start);
      if (rest.length < length) return;
      const whole = rest.subarray(0, length);
      rest = rest.subarray(length);
      onMessage(whole);
    }
  };
}

interface Server {
  readonly client: pg.Client;
  readonly socket: Socket;
  user: Client | null;
}

interface Client {
  readonly socket: Socket;
  server: Server | null;
  /** What it cancels its statements by. */
  key: string;
  /** Sent before a server was free. */
  readonly waiting: Buffer[];
  /** Requests that are not answered by ReadyForQuery yet. */
  open: number;
}

/**
 * A pooler of the tests' own that behaves like PgBouncer 1.18 in transaction mode: a client has a connection to the
 * database only until ReadyForQuery says that no transaction is open, and the next time another one. What belongs to a
 * session (SET, LISTEN, prepared statements, advisory locks) stays with the connection that it happened on.
 */
export async function openPooler(databaseUrl: string): Promise<Pooler> {
  const servers: Server[] = [];
  /** Least recently used first. */
  const idle: Server[] = [];
  const queue: Client[] = [];
  const clients = new Set<Client>();
  const keys = new Map<string, Client>();
  let opening = 0;

  async function openServer(): Promise<void> {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on('error', () => {});
    await client.connect();
    const { stream: socket } = client.connection;
    // From here on the protocol is the clients'.
    socket.removeAllListeners('data');
    const server: Server = { client, socket: socket as Socket, user: null };
    socket.on(
      'data',
      reader(
        (whole) => answer(server, whole),
        () => true,
      ),
    );
    socket.on('close', () => drop(server));
    servers.push(server);
    idle.push(server);
  }

  function drop(server: Server): void {
    for (const list of [servers, idle]) if (list.includes(server)) list.splice(list.indexOf(server), 1);
    server.socket.destroy();
    server.user?.socket.end(fatal('server conn crashed?'));
  }

  function answer(server: Server, whole: Buffer): void {
    const { user } = server;
    // What arrives for nobody, such as a notification, is lost.
    user?.socket.write(whole);
    if (!user || whole[0] !== 0x5a) return;
    user.open -= 1;
    if (user.open > 0 || whole.toString('latin1', 5, 6) !== 'I') return;
    user.server = null;
    server.user = null;
    idle.push(server);
    serve();
  }

  function serve(): void {
    for (;;) {
      const client = queue[0];
      const server = client && idle[0];
      if (!client || !server) break;
      queue.shift();
      idle.shift();
      client.server = server;
      server.user = client;
      for (const waited of client.waiting.splice(0)) server.socket.write(waited);
    }
    if (queue.length > 0 && servers.length + opening < SERVERS) {
      opening += 1;
      openServer()
        .finally(() => (opening -= 1))
        .then(serve, () => queue.shift()?.socket.end(fatal('server login failed')));
    }
  }

  function request(client: Client, whole: Buffer): void {
    const type = whole.toString('latin1', 0, 1);
    if (type === 'X') return void client.socket.end();
    if (type === 'Q' || type === 'S') client.open += 1;
    if (client.server) return void client.server.socket.write(whole);
    client.waiting.push(whole);
    if (!queue.includes(client)) queue.push(client);
    serve();
  }

  function cancel(key: string): void {
    const { processID, secretKey } = keys.get(key)?.server?.client ?? {};
    if (processID == null || secretKey == null) return;
    const { hostname, port } = new URL(databaseUrl);
    const line = connect(Number(port), hostname);
    line.on('error', () => {});
    const bytes = Buffer.alloc(16);
    for (const [at, value] of [16, CANCEL, processID, secretKey].entries()) bytes.writeInt32BE(value, at * 4);
    line.end(bytes);
  }

  /** @returns whether the client may go on */
  function greet(client: Client, whole: Buffer): boolean {
    const { socket } = client;
    const code = whole.readInt32BE(4);
    if (code === TLS) socket.write('N');
    else if (code === CANCEL) {
      // PgBouncer looks for a connection first, and forgets the request if its sender has ended meanwhile.
      setTimeout(() => {
        if (!socket.readableEnded) cancel(whole.toString('hex', 8));
        socket.end();
      }, 20);
    } else if (code === STARTUP) {
      const names = whole
        .toString('utf8', 8)
        .split('\0')
        .filter((_, at) => at % 2 === 0 && _ !== '');
      const unknown = names.find((name) => !KNOWN.includes(name.toLowerCase()));
      if (unknown) {
        socket.end(fatal(`unsupported startup parameter: ${unknown}`));
        return false;
      }
      const key = randomBytes(8);
      // A process id is positive.
      key[0] = 0x7f;
      client.key = key.toString('hex');
      keys.set(client.key, client);
      socket.write(
        Buffer.concat([
          message('R', Buffer.alloc(4)),
          status('server_version', '15.0'),
          status('client_encoding', 'UTF8'),
          status('standard_conforming_strings', 'on'),
          message('K', key),
          READY,
        ]),
      );
      return true;
    }
    return false;
  }

  function welcome(socket: Socket): void {
    const client: Client = { socket, server: null, key: '', waiting: [], open: 0 };
    clients.add(client);
    let isIn = false;
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clients.delete(client);
      keys.delete(client.key);
      if (queue.includes(client)) queue.splice(queue.indexOf(client), 1);
      const { server } = client;
      // It is in the middle of something that nobody waits for any longer.
      if (server) drop(Object.assign(server, { user: null }));
      serve();
    });
    socket.on(
      'data',
      reader(
        (whole) => {
          if (isIn) request(client, whole);
          else isIn = greet(client, whole);
        },
        () => isIn,
      ),
    );
  }

  const listener = createServer(welcome);
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: url.href,
    async close() {
      for (const { socket } of [...clients, ...servers]) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
