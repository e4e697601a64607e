import { useEffect, useEffectEvent } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router-dom';

/*
 * Every open dialog adds an entry to the history, with the address of its page: the browser's Back, on phones the only
 * key there is, closes the front dialog. The entries repeat the router's state of the page, so that the router sees the
 * same place. A closed dialog's entry is left by a step back, which the browser makes later: a navigation in the meantime
 * would be undone by it. `createPageRouter` keeps the two apart.
 */

interface OpenDialog {
  /** May leave the dialog open: it asks first, or waits for an answer. */
  readonly close: () => void;
  readonly hasEntry: boolean;
}

/** The open dialogs, the front one last. */
const openDialogs: OpenDialog[] = [];
/** The router's key of the page that was shown last. */
let pageKey: unknown;
/** Whether the entries of closed dialogs are being left: until the browser has arrived. */
let isLeaving = false;
/** What navigations wait for meanwhile. */
let leaving: Promise<void> | undefined;
let endWait = () => {};
/** Whether the router is loading another page: it would add the page's entry while we leave ours. */
let isNavigating = false;
let isPostponed = false;

/**
 * How long a navigation waits for a step back: browsers drop it if another document begins to load, which may turn out
 * to be a download. A busy browser is only late: asked for twice, it would step twice, and leave the page.
 */
const LEAVING_MAX_MS = 3000;

const withEntry = () => openDialogs.filter(({ hasEntry }) => hasEntry);

/** How many dialogs are open at an entry of the history. */
function depthOf(state: unknown): number {
  return typeof state === 'object' && state !== null && 'dialogs' in state ? Number(state.dialogs) : 0;
}

function keyOf(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'key' in state ? state.key : undefined;
}

/** Adds entries for newly opened dialogs, or goes back over those of closed ones. */
function settle() {
  if (isLeaving) return;
  const { history } = window;
  const isAt = depthOf(history.state);
  const wanted = withEntry().length;
  if (wanted < isAt && isNavigating) {
    isPostponed = true;
    return;
  }
  pageKey = keyOf(history.state);
  for (let depth = isAt + 1; depth <= wanted; depth += 1)
    history.pushState({ ...history.state, dialogs: depth }, '');
  if (wanted < isAt) leave(wanted - isAt);
}

/** Later, once a navigation in the same turn is in the history: the entry is below it then, and is not left. */
const settleSoon = () => setTimeout(settle, 0);

function leave(steps: number) {
  isLeaving = true;
  leaving = new Promise((resolve) => {
    const timer = setTimeout(() => endWait(), LEAVING_MAX_MS);
    endWait = () => {
      clearTimeout(timer);
      leaving = undefined;
      resolve();
    };
  });
  window.history.go(steps);
}

function onBack(event: PopStateEvent) {
  const cameFrom = pageKey;
  pageKey = keyOf(event.state);
  const isSamePage = pageKey === cameFrom;
  if (isLeaving) {
    isLeaving = false;
    endWait();
    settleSoon();
    // Nothing has changed for the router.
    if (isSamePage) event.stopImmediatePropagation();
    return;
  }
  const surplus = withEntry().length - depthOf(event.state);
  if (surplus > 0) {
    for (const dialog of withEntry().slice(-surplus).reverse()) dialog.close();
    settleSoon();
  } else if (surplus < 0) {
    // An entry of a dialog that a navigation has closed: it is passed over, in the direction of the person.
    if (isSamePage) window.history.forward();
    else leave(surplus);
  }
}

function onEscape(event: KeyboardEvent) {
  if (event.key !== 'Escape' || event.isComposing) return;
  // An open dropdown inside the dialog handles the key itself.
  if (event.target instanceof HTMLElement && event.target.dataset.mantineStopPropagation === 'true') return;
  openDialogs.at(-1)?.close();
}

interface OpenDialogOptions {
  /** The address says that the dialog is open, so that Back closes it without an entry more. */
  readonly isInAddress?: boolean;
}

/**
 * Lets Escape and Back close the front dialog only. Mantine listens to Escape once per dialog: one key press would close
 * two dialogs, or the confirmation that closing the first one has just opened.
 */
export function useBackAndEscape(isOpen: boolean, onClose: () => void, options: OpenDialogOptions = {}) {
  const close = useEffectEvent(onClose);
  const hasEntry = !options.isInAddress;
  useEffect(() => {
    // Capturing: before the router.
    window.addEventListener('popstate', onBack, { capture: true });
    // After a reload the history is still at the dialog's entry.
    settleSoon();
  }, []);
  useEffect(() => {
    if (!isOpen) return;
    const dialog = { close: () => close(), hasEntry };
    openDialogs.push(dialog);
    settleSoon();
    if (openDialogs.length === 1) window.addEventListener('keydown', onEscape, { capture: true });
    return () => {
      openDialogs.splice(openDialogs.indexOf(dialog), 1);
      settleSoon();
      if (openDialogs.length === 0) window.removeEventListener('keydown', onEscape, { capture: true });
    };
  }, [isOpen, hasEntry]);
}

/**
 * The router of the browser's pages: its navigations begin when the entries of closed dialogs have been left.
 * @param isRendered whether the server has rendered the first page: it is scrolled to where it was (`restoreScroll`)
 */
export function createPageRouter(routes: RouteObject[], isRendered = false) {
  const router = createBrowserRouter(routes, {
    basename: import.meta.env.BASE_URL,
    ...(isRendered && { hydrationData: { loaderData: {} } }),
    instrumentations: [
      {
        router: ({ instrument }) =>
          instrument({
            navigate: async (navigate) => {
              while (leaving) await leaving;
              // A step that has not come by now has been dropped.
              if (isLeaving) {
                isLeaving = false;
                isPostponed = true;
              }
              await navigate();
            },
          }),
      },
    ],
  });
  router.subscribe(({ navigation }) => {
    isNavigating = navigation.state !== 'idle';
    if (isNavigating || !isPostponed) return;
    isPostponed = false;
    settleSoon();
  });
  return router;
}
