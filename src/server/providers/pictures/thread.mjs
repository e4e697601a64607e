// Starts a thread: Node 20 can load TypeScript in a thread only after tsx is registered there.
import { workerData } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
await import(workerData.script);
