import { connect } from 'node:net';

/**
 * Browsers with open live lines, in a process of their own so that the server's memory is told apart from theirs. Each
 * token opens `each` lines from one address.
 */
interface Task {
  readonly port: number;
  readonly cookies: readonly string[];
  readonly each: number;
}

const AT_ONCE = 20;

let heard = 0;
const tell = (message: object) => process.send?.(message);

/** Resolves at the first event. */
function openLine(port: number, cookie: string, ip: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    [
      'GET /api/trpc/live.events HTTP/1.1',
      `host: 127.0.0.1:${port}`,
      'accept: text/event-stream',
      'accept-encoding: gzip, deflate, br, zstd',
      'accept-language: en-CA,en;q=0.9,fr;q=0.8',
      'user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
      `x-forwarded-for: ${ip}`,
      `cookie: ${cookie}`,
      '',
      '',
    ].join('\r\n'),
  );
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The line was closed')));
    socket.on('data', (chunk) => {
      if (chunk.includes('"kind":"resync"')) resolve();
      if (chunk.includes('"kind":"notification"')) {
        heard += 1;
        tell({ heard });
      }
    });
  });
}

async function openAll({ port, cookies, each }: Task): Promise<void> {
  const waiting = cookies.flatMap((cookie, at) => Array.from({ length: each }, () => [cookie, at] as const));
  const work = Array.from({ length: AT_ONCE }, async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [cookie, at] = next;
      await openLine(port, cookie, `10.0.${at >> 8}.${at & 255}`);
    }
  });
  await Promise.all(work);
  tell({ isOpen: true });
}

process.once('message', (task: Task) => {
  openAll(task).catch((error: unknown) => {
    tell({ failure: String(error) });
  });
});
