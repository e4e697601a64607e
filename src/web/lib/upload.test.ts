import { TRPCClientError } from '@trpc/client';
import { describe, expect, it, vi } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { MAX_IMAGE_BYTES } from '#contract/coupons/images.ts';
import { fieldErrors, hasCode, writeErrorText } from './errors.ts';
import { imageProblem, sizeProblem, uploadImage } from './upload.ts';

const file = (name: string, type: string, size = 10) => {
  const made = new File(['x'], name, { type });
  Object.defineProperty(made, 'size', { value: size });
  return made;
};

describe('a file', () => {
  it.each([
    ['a photo', file('a.jpg', 'image/jpeg'), null],
    ['a photo of a phone, which browsers cannot name', file('a.HEIC', ''), null],
    ['the largest allowed', file('a.png', 'image/png', MAX_IMAGE_BYTES), null],
    ['a document', file('a.pdf', 'application/pdf'), null],
    ['a letter', file('a.docx', 'application/msword'), /image file/],
    ['something unknown', file('a', ''), /image file/],
    ['an empty one', file('a.png', 'image/png', 0), /empty/],
    ['one that is too large', file('a.png', 'image/png', MAX_IMAGE_BYTES + 1), /larger than 8 MB/],
  ])('%s', (_, given, problem) => {
    const found = imageProblem('qrcode', given) ?? sizeProblem(given);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toMatch(problem);
  });

  it('that is a wallet pass shows a code, and is no public picture', () => {
    const pass = file('coupon.PKPASS', '');
    expect(imageProblem('barcode', pass)).toBeNull();
    expect(imageProblem('picture', pass)).toBe('Choose an image file: a photo, a screenshot or a scan.');
  });
});

/** Replaces XMLHttpRequest by one that sends half and then ends in `event`. */
function answerWith(event: 'load' | 'error', status = 0, responseText = '') {
  class FixedRequest extends EventTarget {
    readonly upload = new EventTarget();
    readonly status = status;
    readonly statusText = 'Status text';
    readonly responseText = responseText;
    static url = '';
    static headers: Record<string, string> = {};
    setRequestHeader(name: string, value: string) {
      FixedRequest.headers[name] = value;
    }
    open(_method: string, url: string) {
      FixedRequest.url = url;
    }
    abort() {
      this.dispatchEvent(new Event('abort'));
    }
    send() {
      queueMicrotask(() => {
        const half = { lengthComputable: true, loaded: 5, total: 10 };
        this.upload.dispatchEvent(Object.assign(new Event('progress'), half));
        this.dispatchEvent(new Event(event));
      });
    }
  }
  vi.stubGlobal('XMLHttpRequest', FixedRequest);
  return FixedRequest;
}

const PHOTO = file('a.jpg', 'image/jpeg');
const failureOf = (sent: Promise<unknown>) =>
  sent.then(
    () => null,
    (error: unknown) => error,
  );

describe('an upload', () => {
  it('is sent to the path of its kind, reports its progress and returns the address [spec/1 7.14]', async () => {
    const url = `/api/images/${'a'.repeat(22)}`;
    const request = answerWith('load', 201, JSON.stringify({ url, filePath: url }));
    const onProgress = vi.fn();
    await expect(uploadImage('barcode', PHOTO, { onProgress })).resolves.toMatchObject({ url });
    expect(request.url).toBe('/api/upload/barcode');
    expect(request.headers).toEqual({ 'accept-language': 'en' });
    expect(onProgress).toHaveBeenCalledExactlyOnceWith(0.5);
  });

  it('that is refused fails with the server’s text, code and fields [spec/3 2.36]', async () => {
    const wire = {
      error: 'Too big',
      code: 'payload_too_large',
      issues: [{ path: 'image', message: 'Too big' }],
    };
    answerWith('load', 413, JSON.stringify(wire));
    const error = await failureOf(uploadImage('qrcode', PHOTO));
    expect(writeErrorText(error, 'fallback')).toBe('Too big');
    expect(hasCode(error, 'payload_too_large')).toBe(true);
    expect(fieldErrors(error)).toEqual({ image: 'Too big' });
  });

  it.each([
    ['a proxy’s page', 502, '<h1>Bad gateway</h1>'],
    ['a success that is none', 200, '{}'],
    ['a fault of the server', 500, '{"error":"Oh","code":"internal"}'],
  ])('answered with %s fails with the fallback text', async (_, status, body) => {
    answerWith('load', status, body);
    expect(writeErrorText(await failureOf(uploadImage('qrcode', PHOTO)), 'fallback')).toBe('fallback');
  });

  it('without a network fails with the network error', async () => {
    answerWith('error');
    const error = await failureOf(uploadImage('qrcode', PHOTO));
    expect(writeErrorText(error, 'fallback')).toBe(TEXTS.requests.network());
  });

  it('that is aborted is not a network error', async () => {
    answerWith('load', 201, '{}');
    const run = new AbortController();
    const sent = failureOf(uploadImage('qrcode', PHOTO, { signal: run.signal }));
    run.abort();
    const error = await sent;
    expect(error).toBeInstanceOf(DOMException);
    expect(error).not.toBeInstanceOf(TRPCClientError);
  });
});
