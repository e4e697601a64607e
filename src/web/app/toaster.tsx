import { useEffect, useRef, useState } from 'react';
import { onDemand } from '#web/components/on-demand.tsx';
import { setToaster, type Toast } from '#web/lib/toasts.ts';

const ToastStack = onDemand(async () => (await import('./toast-stack.tsx')).ToastStack);

/**
 * Toasts: one at a time, for about five seconds, swiped away to the right (spec/1 section 1). The live region is
 * rendered before the first toast: screen readers often miss a region that appears together with its text.
 */
export function Toaster() {
  const frame = useRef<HTMLDivElement>(null);
  const [newest, setNewest] = useState<Toast | null>(null);
  useEffect(() => setToaster(setNewest), []);
  return (
    <div ref={frame} aria-live="polite">
      {newest && <ToastStack frame={frame} toast={newest} />}
    </div>
  );
}
