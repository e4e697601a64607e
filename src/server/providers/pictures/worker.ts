import { parentPort } from 'node:worker_threads';
import sharp from 'sharp';
import { prepareDecoders } from './decoding.ts';
import { drawCode } from './drawing.ts';
import type { PictureAnswer, PictureJob } from './jobs.ts';
import { PictureRefusal } from './pictures.ts';
import { readPicture } from './reading.ts';

// The threads work side by side already, and no two files are alike.
sharp.concurrency(1);
sharp.cache(false);
await prepareDecoders();
parentPort?.on('message', async (job: PictureJob) => parentPort?.postMessage(await answer(job)));
parentPort?.postMessage('ready');

async function answer(job: PictureJob): Promise<PictureAnswer> {
  if (job.kind === 'draw') return { kind: 'drawn', code: await drawCode(job.as, job.code) };
  try {
    return { kind: 'read', picture: await readPicture(job.file, job.searchMs) };
  } catch (error) {
    if (error instanceof PictureRefusal) return { kind: 'refused', problem: error.problem };
    throw error;
  }
}
