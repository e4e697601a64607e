import { createServer } from 'vite';

/** `npm run dev`: the server and, in front of it, Vite with hot reload at port 5173. */
const [{ main }, { seedDemoOnce }] = await Promise.all([
  import('../src/server/main.ts'),
  import('./seed.ts'),
]);
await main({ prepare: seedDemoOnce });
const vite = await createServer();
await vite.listen();
vite.printUrls();
