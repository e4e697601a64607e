import { t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import { SHARE_TARGET, SHARED_CACHE } from '#contract/base/share-target.ts';
import { isTableFile } from './table-file.ts';

/*
 * What another application hands over waits here, in a cache of its own, until a page takes it: until somebody has signed
 * in, or for MAX_AGE_MS. The sign-out drops it (`viewer-queries.ts`).
 */

const MAX_AGE_MS = 10 * 60_000;
/** The type of a file in a form where nobody knows it. */
const UNKNOWN_TYPE = 'application/octet-stream';

export interface Shared {
  readonly files: readonly File[];
  /** '' for none. */
  readonly text: string;
}

/** Why there is nothing to take, in words for users. */
export const NOTHING_SHARED = t`We did not get the file that you shared. Choose it here instead.`;

/** What is in a form of the share target: its files, and its texts and addresses one a line. */
function sharedIn(form: FormData): Shared {
  const files = form.getAll('files').filter((each) => each instanceof File);
  const texts = form.getAll('text').filter((each) => typeof each === 'string');
  return {
    files: files.map((file) => (file.type === UNKNOWN_TYPE ? new File([file], file.name) : file)),
    text: texts.join('\n').trim(),
  };
}

/** The page for it: the form for one picture, document or pass, the table for everything else. */
function pageFor({ files, text }: Shared): string {
  const [file, ...others] = files;
  const isTable = file ? others.length > 0 || isTableFile(file) : text !== '';
  return isTable ? paths.addManyShared : paths.addShared;
}

/**
 * Keeps what was shared, in place of what was shared before.
 * @param form with `files` and `text`
 * @returns the address of the page that takes it, and says so where it could not be kept
 */
export async function keepShared(form: FormData): Promise<string> {
  try {
    const cache = await caches.open(SHARED_CACHE);
    await cache.put(SHARE_TARGET, new Response(form, { headers: { date: new Date().toUTCString() } }));
  } catch {
    // The device is full, or keeps nothing.
    await forgetShared();
  }
  return pageFor(sharedIn(form));
}

/** Takes what was shared, once; null where there is nothing, or nothing any more. */
export async function takeShared(): Promise<Shared | null> {
  try {
    await forgetOldShared();
    const cache = await caches.open(SHARED_CACHE);
    const stored = await cache.match(SHARE_TARGET);
    const form = await stored?.formData();
    // Another tab may have been faster.
    return form && (await cache.delete(SHARE_TARGET)) ? sharedIn(form) : null;
  } catch {
    return null;
  }
}

/** Drops what nobody has taken in time. */
export async function forgetOldShared(): Promise<void> {
  const stored = await caches.match(SHARE_TARGET, { cacheName: SHARED_CACHE });
  const storedAt = Date.parse(stored?.headers.get('date') ?? '');
  if (stored && !(Date.now() - storedAt < MAX_AGE_MS)) await forgetShared();
}

const forgetShared = () => caches.delete(SHARED_CACHE).catch(() => false);
