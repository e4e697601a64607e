import { trpc } from '#web/lib/trpc.ts';

/** The viewer's own numbers, refetched at every visit. */
export function useOwnStats() {
  return trpc.profiles.stats.useQuery(undefined, { staleTime: 0 });
}

/** A person's public profile. */
export function usePublicProfile(id: number | null) {
  return trpc.profiles.byId.useQuery({ id: id ?? 0 }, { enabled: id !== null });
}
