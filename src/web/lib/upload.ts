import { TRPCClientError } from '@trpc/client';
import { type ImageKind, MAX_IMAGE_BYTES, uploadedImageSchema } from '#contract/images.ts';
import { readWireError, UnexpectedAnswer } from './errors.ts';

const MEGABYTE = 1024 * 1024;

/** Picture formats of phones that browsers do not know: their files have no type. */
const UNTYPED_PICTURE = /\.(heic|heif|avif)$/i;

/** Why a file cannot be uploaded, in words for users; null where it can. */
export function imageProblem(file: File): string | null {
  const isImage = file.type === '' ? UNTYPED_PICTURE.test(file.name) : file.type.startsWith('image/');
  if (!isImage) return 'Choose an image file: a photo, a screenshot or a scan.';
  if (file.size === 0) return 'This file is empty. Choose another one.';
  if (file.size > MAX_IMAGE_BYTES)
    return `This picture is larger than ${MAX_IMAGE_BYTES / MEGABYTE} MB. Choose a smaller one.`;
  return null;
}

/** The calls that take a picture: of a code, or a public one. */
export type UploadKind = ImageKind | 'picture' | 'profile-picture';

interface UploadOptions {
  /** Called with the sent share, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Stores a picture.
 * @returns its address
 * @throws TRPCClientError like a failed call, so that `lib/errors.ts` handles it; DOMException 'AbortError'
 */
export function uploadImage(
  kind: UploadKind,
  file: File,
  { onProgress, signal }: UploadOptions = {},
): Promise<string> {
  const form = new FormData();
  form.append('image', file);
  return new Promise((resolve, reject) => {
    // fetch does not report progress.
    const request = new XMLHttpRequest();
    request.open('POST', `/api/upload/${kind}`);
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total);
    });
    request.addEventListener('load', () => {
      try {
        resolve(addressIn(request));
      } catch (error) {
        reject(error);
      }
    });
    request.addEventListener('error', () => reject(TRPCClientError.from(new Error('The network failed'))));
    request.addEventListener('abort', () => reject(new DOMException('The upload was stopped', 'AbortError')));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

/** The image's path in the answer. @throws TRPCClientError for any other answer */
function addressIn({ status, statusText, responseText }: XMLHttpRequest): string {
  const body = parseJson(responseText);
  const uploaded = uploadedImageSchema.safeParse(body);
  if (status < 300 && uploaded.success) return uploaded.data.url;
  const wire = readWireError(body);
  throw TRPCClientError.from(new UnexpectedAnswer(status, wire?.error ?? statusText, wire));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
