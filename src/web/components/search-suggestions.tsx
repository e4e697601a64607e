import { useEffect } from 'react';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { keyOf, readNewest, storeNewest, withTyped } from '#web/lib/viewer-storage.ts';

const RECENT = 5;

interface SearchSuggestionsProps {
  /** Of the list, for the `list` of its field. */
  readonly id: string;
  /** The search in effect. */
  readonly typed: string;
}

/** What a search field offers: the latest searches of this tab, and merchants that begin as typed. */
export function SearchSuggestions({ id, typed }: SearchSuggestionsProps) {
  const { user } = useViewer();
  const key = keyOf(user?.id, 'searches');
  useEffect(() => remember(key, typed), [key, typed]);
  const { data: merchants = [] } = trpc.search.merchants.useQuery({ typed }, { enabled: typed.length >= 2 });
  const offered = new Set([...recent(key), ...merchants]);
  offered.delete(typed);
  return (
    <datalist id={id}>
      {[...offered].map((text) => (
        <option key={text} value={text} />
      ))}
    </datalist>
  );
}

const recent = (key: string) => readNewest<string>(withTyped, key);

/** Keeps a search instead of those that it continues: 'pizza' instead of 'piz'. */
function remember(key: string, typed: string): void {
  if (typed === '') return;
  const others = recent(key).filter((text) => !typed.startsWith(text));
  storeNewest(withTyped, key, [typed, ...others], RECENT);
}
