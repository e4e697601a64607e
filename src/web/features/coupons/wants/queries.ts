import { trpc } from '#web/lib/trpc.ts';

/** What the viewer looks for. */
export function useWants() {
  return trpc.wants.list.useQuery();
}

/** What was found for a want; null fetches nothing. */
export function useFinds(id: number | null) {
  return trpc.wants.found.useQuery({ id: id ?? 0 }, { enabled: id !== null });
}

export function useCreateWant() {
  return trpc.wants.create.useMutation();
}

export function useUpdateWant() {
  return trpc.wants.update.useMutation();
}

export function usePauseWant() {
  return trpc.wants.pause.useMutation();
}

export function useRemoveWant() {
  return trpc.wants.remove.useMutation();
}

export function useLook() {
  return trpc.wants.look.useMutation();
}

/** How many of the viewer's coupons a want can choose from. */
const CHOICES = 100;

/** The viewer's coupons, for what they would give. */
export function useGifts(isEnabled: boolean) {
  return trpc.coupons.mine.useQuery({ limit: CHOICES }, { enabled: isEnabled });
}
