// A thread beside the work, which may be busy or hang in native code: ends the process when its parent is gone or it
// holds too much memory.
import { workerData } from 'node:worker_threads';

const { parent, memoryBytes } = workerData;

setInterval(() => {
  if (process.ppid !== parent || process.memoryUsage.rss() > memoryBytes)
    process.kill(process.pid, 'SIGKILL');
}, 200);
