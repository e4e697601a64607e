import { trpc } from '#web/lib/trpc.ts';

/** The viewer's own numbers, as they are at this moment. */
export function useOwnStats() {
  return trpc.profiles.stats.useQuery(undefined, { staleTime: 0 });
}

/** A person as anybody may see them. */
export function usePublicProfile(id: number | null) {
  return trpc.profiles.byId.useQuery({ id: id ?? 0 }, { enabled: id !== null });
}
