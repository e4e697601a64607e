import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { prepareCodeReader, readCodes, type SeenCode } from '#web/coupons/core/code-reader.ts';

/** Whether the camera looks for a code, and if not, why. */
export type CameraState = 'starting' | 'looking' | 'paused' | 'denied' | 'missing' | 'busy' | 'broken';

/** Between two frames: fast enough for a moving hand, and the page stays responsive. */
const PAUSE_MS = 150;
/** In pixels. Decoding at this size is as reliable as at full HD, and three times as fast. */
const MAX_SIDE = 1_280;

declare global {
  interface MediaTrackCapabilities {
    /** Of Chromium and Safari. */
    readonly torch?: boolean;
  }
  interface MediaTrackConstraintSet {
    torch?: boolean;
  }
}

/** Takes the codes of a frame. @returns whether the camera looks on */
export type OnRead = (codes: readonly SeenCode[]) => boolean;

interface CameraOptions {
  readonly isOn: boolean;
  /** A new number restarts the camera. */
  readonly attempt: number;
  readonly onRead: OnRead;
}

/** The light beside the camera. */
export interface Torch {
  readonly isOn: boolean;
  readonly toggle: () => void;
}

/**
 * Looks for codes with the rear camera while it is on. Releases the camera when `onRead` has enough, the page is hidden
 * or the component unmounts.
 * @returns its light, too; null where it has none
 */
export function useCamera(
  video: RefObject<HTMLVideoElement | null>,
  { isOn, attempt, onRead }: CameraOptions,
): { readonly state: CameraState; readonly torch: Torch | null } {
  const [state, setState] = useState<CameraState>('starting');
  const [light, setLight] = useState<{ readonly track: MediaStreamTrack; readonly isOn: boolean } | null>(
    null,
  );
  const read = useEffectEvent(onRead);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt restarts the camera
  useEffect(() => {
    if (!isOn) return;
    setState('starting');
    setLight(null);
    const run = new AbortController();
    const { signal } = run;
    const onPicture = (track: MediaStreamTrack | undefined) => {
      setState('looking');
      if (track?.getCapabilities?.().torch) setLight({ track, isOn: false });
    };
    look(video, signal, { onPicture, onRead: (codes) => read(codes) }).then(
      () => run.abort(),
      (error) => {
        if (!signal.aborted) setState(stateOfError(error));
        run.abort();
      },
    );
    const pause = () => {
      if (!document.hidden || signal.aborted) return;
      run.abort();
      setState('paused');
    };
    document.addEventListener('visibilitychange', pause, { signal });
    return () => run.abort();
  }, [video, isOn, attempt]);
  const toggle = async (on: NonNullable<typeof light>) => {
    const next = { ...on, isOn: !on.isOn };
    try {
      await next.track.applyConstraints({ advanced: [{ torch: next.isOn }] });
      setLight(next);
    } catch {
      // Another application has it: there is no light then.
      setLight(null);
    }
  };
  return { state, torch: light && { isOn: light.isOn, toggle: () => void toggle(light) } };
}

interface Looking {
  readonly onPicture: (track: MediaStreamTrack | undefined) => void;
  readonly onRead: OnRead;
}

/** Looks until `onRead` has enough; aborts with `signal`. @throws DOMException from the browser */
async function look(
  video: RefObject<HTMLVideoElement | null>,
  signal: AbortSignal,
  { onPicture, onRead }: Looking,
): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1_920 }, height: { ideal: 1_080 } },
    audio: false,
  });
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  signal.throwIfAborted();

  const element = video.current;
  if (!element) throw new Error('There is no place for the picture');
  element.srcObject = stream;
  await Promise.all([element.play(), prepareCodeReader()]);
  onPicture(stream.getVideoTracks()[0]);
  const canvas = document.createElement('canvas');
  for (;;) {
    signal.throwIfAborted();
    const picture = pictureOf(element, canvas);
    const codes = picture ? await readCodes(picture) : [];
    signal.throwIfAborted();
    if (codes.length > 0 && !onRead(codes)) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** The current frame; null before the first one. */
function pictureOf(video: HTMLVideoElement, canvas: HTMLCanvasElement): ImageData | null {
  const { videoWidth, videoHeight } = video;
  if (videoWidth === 0 || videoHeight === 0) return null;
  const scale = Math.min(1, MAX_SIDE / Math.max(videoWidth, videoHeight));
  canvas.width = Math.round(videoWidth * scale);
  canvas.height = Math.round(videoHeight * scale);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return null;
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

const REASONS: Partial<Record<string, CameraState>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
};

function stateOfError(error: unknown): CameraState {
  return (error instanceof Error && REASONS[error.name]) || 'broken';
}
