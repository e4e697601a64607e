import { TRPCClientError } from '@trpc/client';
import { describe, expect, it, vi } from 'vitest';
import type { ErrorCode } from '#contract/base/errors.ts';
import { fieldErrors, hasCode, readErrorText, writeErrorText } from './errors.ts';

/** A refusal as it arrives from the server. */
function refusal(
  httpStatus: number,
  code: ErrorCode,
  error: string,
  issues?: { path: string; message: string }[],
) {
  const wire = issues ? { error, code, issues } : { error, code };
  return TRPCClientError.from({ error: { message: error, code: -32000, data: { httpStatus, wire } } });
}

const offline = TRPCClientError.from(new TypeError('Failed to fetch'));

describe('the text of a failed read', () => {
  it('is fixed for 401 and 404 [spec/1 1.6]', () => {
    expect(readErrorText(refusal(401, 'unauthorized', 'x'))).toBe('Unauthorized: Please log in to continue');
    expect(readErrorText(refusal(404, 'not_found', 'x'))).toBe('Resource not found');
  });

  it('is the status, a colon and the server’s text for other errors [spec/1 1.7]', () => {
    expect(readErrorText(refusal(409, 'conflict', 'Somebody was quicker'))).toBe('409: Somebody was quicker');
    const unknown = TRPCClientError.from({
      error: { message: 'Bad Gateway', code: -1, data: { httpStatus: 502 } },
    });
    expect(readErrorText(unknown)).toBe('502: Bad Gateway');
  });

  it('is the network error if there was no answer', () => {
    expect(readErrorText(offline)).toBe('Network error. Please check your connection and try again.');
  });
});

it('a failed read says that the browser is offline', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(readErrorText(offline)).toBe('You are offline. We load this when you are back online.');
  vi.restoreAllMocks();
});

describe('the text of a failed write', () => {
  it('is the server’s text', () => {
    expect(writeErrorText(refusal(409, 'code_listed', 'This coupon code is already listed'), 'Failed')).toBe(
      'This coupon code is already listed',
    );
  });

  it('is the fallback if the server has no text for users', () => {
    expect(writeErrorText(refusal(500, 'internal', 'Something went wrong'), 'Failed to add')).toBe(
      'Failed to add',
    );
    expect(writeErrorText(new Error('a bug'), 'Failed to add')).toBe('Failed to add');
  });

  it('has the reference of a failure of ours after the text', () => {
    const failure = (code: ErrorCode, requestId?: string) => {
      const wire = { error: 'Please try again later', code, ...(requestId && { requestId }) };
      return TRPCClientError.from({ error: { message: '', code: -32000, data: { httpStatus: 500, wire } } });
    };
    expect(writeErrorText(failure('internal', 'a1-b2'), 'Failed to add')).toBe(
      'Failed to add Reference: a1-b2',
    );
    expect(writeErrorText(failure('outcome_unknown', 'c3'), 'Failed')).toBe(
      'Please try again later Reference: c3',
    );
    expect(writeErrorText(failure('conflict'), 'Failed')).toBe('Please try again later');
  });

  it.each([true, false])('is the network error if there was none; onLine: %s [spec/1 1.8]', (isOnline) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
    expect(writeErrorText(offline, 'Failed')).toBe(
      'Network error. Please check your connection and try again.',
    );
    vi.restoreAllMocks();
  });
});

it('maps validation errors to fields, and recognises the error code', () => {
  const error = refusal(400, 'bad_input', 'Too short', [
    { path: 'title', message: 'Too short' },
    { path: '', message: 'Of the whole' },
  ]);
  expect(fieldErrors(error)).toEqual({ title: 'Too short' });
  expect(hasCode(error, 'bad_input')).toBe(true);
  expect(hasCode(offline, 'bad_input')).toBe(false);
});
