import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useEffect, useState } from 'react';
import type { Page } from '#contract/base/primitives.ts';
import type { Notification, NotificationPreference } from '#contract/people/notifications.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';

/** Marks notifications as read on screen before the server answers. @returns a function that undoes it */
function useOptimisticRead() {
  const queryClient = useQueryClient();
  const utils = trpc.useUtils();
  return async (
    isAffected: (notification: Notification) => boolean,
    unreadAfter: (unread: number) => number,
  ) => {
    await Promise.all([utils.notifications.list.cancel(), utils.notifications.unreadCount.cancel()]);
    const lists = { queryKey: getQueryKey(trpc.notifications.list) };
    const before = [
      ...queryClient.getQueriesData(lists),
      ...queryClient.getQueriesData({ queryKey: getQueryKey(trpc.notifications.unreadCount) }),
    ];
    queryClient.setQueriesData<Page<Notification>>(
      lists,
      (page) =>
        page && {
          ...page,
          items: page.items.map((item) => (isAffected(item) ? { ...item, isRead: true } : item)),
        },
    );
    utils.notifications.unreadCount.setData(
      undefined,
      (count) => count && { unread: Math.max(0, unreadAfter(count.unread)) },
    );
    return () => {
      for (const [key, data] of before) queryClient.setQueryData(key, data);
    };
  };
}

function undoWithToast(error: unknown, undo: (() => void) | undefined): void {
  undo?.();
  toasts.failed(error, t`Error`);
}

export function useMarkRead() {
  const markOnScreen = useOptimisticRead();
  return trpc.notifications.markRead.useMutation({
    onMutate: ({ id }) =>
      markOnScreen(
        (notification) => notification.id === id,
        (unread) => unread - 1,
      ),
    onError: (error, _input, undo) => undoWithToast(error, undo),
  });
}

export function useMarkAllRead() {
  const markOnScreen = useOptimisticRead();
  return trpc.notifications.markAllRead.useMutation({
    onMutate: () =>
      markOnScreen(
        () => true,
        () => 0,
      ),
    onError: (error, _input, undo) => undoWithToast(error, undo),
  });
}

/** How long the confirmation of a change is shown. */
const SAVED_MS = 3_000;

/** Saves a preference. It is shown at once, and undone when saving fails. */
export function useSetPreference() {
  const utils = trpc.useUtils();
  const [saved, setSaved] = useState(false);
  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(() => setSaved(false), SAVED_MS);
    return () => clearTimeout(timer);
  }, [saved]);
  const show = (change: NotificationPreference) =>
    utils.notifications.preferences.setData(undefined, (all) =>
      all?.map((each) => (each.type === change.type ? change : each)),
    );
  const { mutate } = trpc.notifications.setPreference.useMutation({
    onMutate: async (change) => {
      setSaved(false);
      await utils.notifications.preferences.cancel();
      const before = utils.notifications.preferences.getData()?.find(({ type }) => type === change.type);
      show(change);
      return before;
    },
    onError: (error, _change, before) => {
      if (before) show(before);
      toasts.failure(t`Error`, writeErrorText(error, t`Your preference was not saved. Please try again.`));
    },
    onSuccess: () => setSaved(true),
  });
  return { change: mutate, saved };
}
