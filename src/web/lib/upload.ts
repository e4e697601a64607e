import { t } from '@lingui/core/macro';
import { TRPCClientError } from '@trpc/client';
import type { z } from 'zod';
import { language } from '#contract/base/i18n.ts';
import {
  type ImageKind,
  MAX_IMAGE_BYTES,
  type UploadedImage,
  uploadedImageSchema,
} from '#contract/coupons/images.ts';
import { readWireError, UnexpectedAnswer } from './errors.ts';

const MEGABYTE = 1024 * 1024;

/** Picture formats of phones that browsers do not know: their files have no type. */
const UNTYPED_PICTURE = /\.(heic|heif|avif)$/i;

/** Files that show a code and are no pictures: PDF and wallet passes. Browsers do not always know their type. */
const CODE_FILE = /\.(pdf|pkpass(es)?)$/i;

/** What people may choose. Browsers cannot open HEIC to cut it; without it, phones convert to JPEG. */
const PICTURES = 'image/jpeg,image/png,image/webp,image/gif,image/avif';
export const ACCEPTED = {
  code: `${PICTURES},image/heic,.heic,.heif,application/pdf,.pdf,.pkpass,.pkpasses,application/vnd.apple.pkpass`,
  public: PICTURES,
};

/** Whether a call takes pictures of codes. */
export function isOfCode(kind: UploadKind): kind is ImageKind {
  return kind === 'qrcode' || kind === 'barcode';
}

/** Why a file cannot be uploaded, in words for users; null where it can. */
export function imageProblem(kind: UploadKind, file: File): string | null {
  const isImage = file.type === '' ? UNTYPED_PICTURE.test(file.name) : file.type.startsWith('image/');
  if (!isImage && !(isOfCode(kind) && CODE_FILE.test(file.name))) {
    return isOfCode(kind)
      ? t`Choose an image file: a photo, a screenshot, a scan, a PDF or a wallet pass.`
      : t`Choose an image file: a photo, a screenshot or a scan.`;
  }
  return null;
}

/** Why a file of the right kind cannot be uploaded. */
export function sizeProblem(file: File): string | null {
  if (file.size === 0) return t`This file is empty. Choose another one.`;
  if (file.size > MAX_IMAGE_BYTES)
    return t`This picture is larger than ${MAX_IMAGE_BYTES / MEGABYTE} MB. Choose a smaller one.`;
  return null;
}

/** The calls that take a picture: of a code, of a claim, or a public one. */
export type UploadKind = ImageKind | 'evidence' | 'picture' | 'profile-picture';

interface UploadOptions {
  /** Called with the sent share, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Stores a picture.
 * @throws TRPCClientError like a failed call, so that `lib/errors.ts` handles it; DOMException 'AbortError'
 */
export function uploadImage(
  kind: UploadKind,
  file: File,
  { page, ...options }: UploadOptions & { /** Of a PDF, from 1. */ readonly page?: number } = {},
): Promise<UploadedImage> {
  const path = page === undefined ? kind : `${kind}?page=${page}`;
  return sendFile(path, file, uploadedImageSchema, options);
}

/**
 * Sends a file to one of the calls that take one.
 * @param path behind '/api/upload/'
 * @throws TRPCClientError like a failed call; DOMException 'AbortError'
 */
export function sendFile<Answer>(
  path: string,
  file: File,
  schema: z.ZodType<Answer>,
  { onProgress, signal }: UploadOptions = {},
): Promise<Answer> {
  const form = new FormData();
  form.append('image', file);
  return new Promise((resolve, reject) => {
    // fetch does not report progress.
    const request = new XMLHttpRequest();
    request.open('POST', `/api/upload/${path}`);
    request.setRequestHeader('accept-language', language());
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total);
    });
    request.addEventListener('load', () => {
      try {
        resolve(answerIn(request, schema));
      } catch (error) {
        reject(error);
      }
    });
    request.addEventListener('error', () => reject(TRPCClientError.from(new Error('The network failed'))));
    request.addEventListener('abort', () =>
      reject(new DOMException(t`The upload was stopped`, 'AbortError')),
    );
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

/** @throws TRPCClientError for any other answer */
function answerIn<Answer>(
  { status, statusText, responseText }: XMLHttpRequest,
  schema: z.ZodType<Answer>,
): Answer {
  const body = parseJson(responseText);
  const uploaded = schema.safeParse(body);
  if (status < 300 && uploaded.success) return uploaded.data;
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
