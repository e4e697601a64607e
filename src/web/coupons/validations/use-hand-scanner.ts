import { useEffect, useEffectEvent } from 'react';

/** Hand scanners type faster than people; in milliseconds between two keys. */
const PAUSE_MS = 50;
/** Shorter than any code. */
const LENGTH_MIN = 4;

/** What takes the keys itself. */
const FIELDS = 'input, textarea, select, [contenteditable], [role="dialog"]';

/** Takes what a hand scanner types while no field has the focus: fast keys, ended by Enter. */
export function useHandScanner(onRead: (code: string) => void): void {
  const read = useEffectEvent(onRead);
  useEffect(() => {
    let typed = '';
    let lastAt = 0;
    const listen = (event: KeyboardEvent) => {
      const { key, target, timeStamp } = event;
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (target instanceof Element && target.closest(FIELDS)) return;
      if (timeStamp - lastAt > PAUSE_MS) typed = '';
      lastAt = timeStamp;
      if (key.length === 1) typed += key;
      if (key !== 'Enter' || typed.length < LENGTH_MIN) return;
      // It would press the button that has the focus.
      event.preventDefault();
      read(typed);
      typed = '';
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
