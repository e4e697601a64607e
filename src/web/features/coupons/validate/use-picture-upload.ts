import { useCallback, useEffect, useRef, useState } from 'react';
import type { ImageKind } from '#contract/images.ts';
import { TEXTS } from '#contract/texts.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { imageProblem, uploadImage } from '#web/lib/upload.ts';

interface UploadState {
  /** How much has gone out, from 0 to 1; null when nothing is under way. */
  readonly share: number | null;
  /** What went wrong with the last file. */
  readonly problem: string | null;
}

const IDLE: UploadState = { share: null, problem: null };

/** Uploads one picture at a time; another one, or leaving the screen, stops the one before. */
export function usePictureUpload(kind: ImageKind, failText: string, onUploaded: (url: string) => void) {
  const [state, setState] = useState(IDLE);
  const current = useRef<AbortController>(null);
  const stop = useCallback(() => current.current?.abort(), []);
  useEffect(() => stop, [stop]);

  const fail = (problem: string) => {
    setState({ share: null, problem });
    toasts.failure(TEXTS.images.uploadFailedTitle, problem);
  };
  const upload = async (file: File) => {
    stop();
    const problem = imageProblem(file);
    if (problem !== null) return fail(problem);
    const run = new AbortController();
    current.current = run;
    setState({ share: 0, problem: null });
    try {
      const onProgress = (share: number) => setState({ share, problem: null });
      const url = await uploadImage(kind, file, { onProgress, signal: run.signal });
      setState(IDLE);
      onUploaded(url);
    } catch (error) {
      if (!run.signal.aborted) fail(writeErrorText(error, failText));
    }
  };
  const cancel = () => {
    stop();
    setState(IDLE);
  };
  return { ...state, upload, cancel };
}
