// How a thread begins: Node 20 loads TypeScript into a thread only once tsx was registered within it.
import { workerData } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
await import(workerData.script);
