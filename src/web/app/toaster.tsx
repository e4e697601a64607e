import { type RefObject, useEffect, useRef, useState } from 'react';
import { lazyWithPreload, useLoaded } from '#web/components/on-demand.tsx';
import { setToaster, type Toast } from '#web/lib/toasts.ts';
import classes from './shell.module.css';

const stack = lazyWithPreload(async () => (await import('./toast-stack.tsx')).ToastStack);

/** How long after the finger has left the click of a tap may come. */
const CLICK_MS = 300;

/**
 * Marks the toasts while something beside them is pressed: they let the click through then. Touch screens look for what
 * is clicked only when the finger leaves, and a toast may have come in between.
 */
function usePressBeside(frame: RefObject<HTMLDivElement | null>) {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const mark = (isPressed: boolean) => frame.current?.toggleAttribute('data-press-beside', isPressed);
    const press = ({ target }: Event) => {
      clearTimeout(timer);
      mark(!(target instanceof Node && frame.current?.contains(target)));
    };
    const release = () => {
      clearTimeout(timer);
      timer = setTimeout(() => mark(false), CLICK_MS);
    };
    const listeners = new AbortController();
    const options = { capture: true, signal: listeners.signal };
    window.addEventListener('pointerdown', press, options);
    window.addEventListener('pointerup', release, options);
    window.addEventListener('pointercancel', release, options);
    return () => {
      listeners.abort();
      clearTimeout(timer);
    };
  }, [frame]);
}

/**
 * Toasts: one at a time, for about five seconds, swiped away to the right (spec/1 section 1). The live region is
 * rendered before the first toast: screen readers often miss a region that appears together with its text.
 */
export function Toaster() {
  const frame = useRef<HTMLDivElement>(null);
  const [newest, setNewest] = useState<Toast | null>(null);
  useEffect(() => setToaster(setNewest), []);
  usePressBeside(frame);
  const [isBare, setIsBare] = useState(false);
  const ToastStack = useLoaded(stack, newest, () => setIsBare(true));
  return (
    <div ref={frame} aria-live="polite">
      {newest && ToastStack && <ToastStack frame={frame} toast={newest} />}
      {newest && !ToastStack && isBare && (
        // The code of toasts could not be loaded, as without a network.
        <div role={newest.role} className={classes.bareToast}>
          <strong>{newest.title}</strong>
          <div>{newest.message}</div>
        </div>
      )}
    </div>
  );
}
