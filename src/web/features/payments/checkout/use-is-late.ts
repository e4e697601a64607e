import { useEffect, useState } from 'react';
import { LOAD_LIMIT_MS } from './stripe-script.ts';

/** Whether something has been waited for longer than a provider may take. Counts anew whenever the waiting begins. */
export function useIsLate(isWaiting: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    setIsLate(false);
    if (!isWaiting) return;
    const timer = setTimeout(() => setIsLate(true), LOAD_LIMIT_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isWaiting && isLate;
}
