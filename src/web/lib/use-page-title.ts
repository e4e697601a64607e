import { useEffect } from 'react';
import { documentTitle } from '#contract/pages.ts';

/** Names the page in the browser's tab and history. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = documentTitle(title);
  }, [title]);
}
