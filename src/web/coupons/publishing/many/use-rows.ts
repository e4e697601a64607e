import { useEffect, useState } from 'react';
import { useMember } from '#web/lib/viewer.tsx';
import { keyOf, readTyped, withTyped } from '#web/lib/viewer-storage.ts';
import type { Listed } from './listing.ts';
import { type Common, isUnsaved, NO_COMMON, type Row, withoutCode } from './rows.ts';

export interface Work {
  readonly rows: readonly Row[];
  readonly common: Common;
  readonly listed: readonly Listed[];
}

const NOTHING: Work = { rows: [], common: NO_COMMON, listed: [] };

/** The rows on screen, what they have in common, and what was listed; stored as a draft for the session, but for the codes. */
export function useRows() {
  const { id } = useMember();
  const key = keyOf(id, 'many');
  const [found] = useState(() => readTyped<Work>(key));
  const [work, setWork] = useState<Work>(() => ({
    ...NOTHING,
    ...found,
    // A draft from before an upgrade has fewer fields.
    ...(found?.common && { common: { ...NO_COMMON, ...found.common } }),
  }));
  const [isOffered, setIsOffered] = useState((found?.rows?.length ?? 0) > 0);
  useEffect(() => {
    const { rows, common, listed } = work;
    const unsaved = rows.filter(isUnsaved);
    const isEmpty = unsaved.length === 0 && listed.length === 0;
    const draft = JSON.stringify({
      rows: unsaved.map(withoutCode),
      common,
      listed: listed.map((each) => ({ ...each, row: null })),
    });
    withTyped((storage) => (isEmpty ? storage.removeItem(key) : storage.setItem(key, draft)));
  }, [key, work]);
  const startOver = () => {
    setIsOffered(false);
    setWork(NOTHING);
  };
  return { work, setWork, draft: { isOffered, startOver } };
}
