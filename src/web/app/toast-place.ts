/** The edges of a box on the screen, as of a `DOMRect`. */
export interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

const GAP = 8;

/**
 * How far a toast must rise to cover none of the boxes, in pixels.
 * @param toast where it is at the screen's lower edge
 * @returns 0 where it finds no place on the screen
 */
export function liftOf(toast: Box, boxes: readonly Box[]): number {
  const inTheWay = boxes.filter(({ left, right }) => left < toast.right && right > toast.left);
  let lift = 0;
  for (;;) {
    const [top, bottom] = [toast.top - lift, toast.bottom - lift];
    const hit = inTheWay.find((box) => box.top < bottom && box.bottom > top);
    if (!hit) return lift;
    lift = toast.bottom - hit.top + GAP;
    if (toast.top - lift < 0) return 0;
  }
}

const CONTROLS = 'button, input, select, textarea, [role="button"], [role="menuitem"], a[class*="Button"]';

/** The controls that the person sees, but for those inside `toast`. */
export function visibleControls(toast: Element): Box[] {
  const found: Box[] = [];
  for (const control of document.querySelectorAll(CONTROLS)) {
    const box = control.getBoundingClientRect();
    if (box.width === 0 || box.bottom < 0 || box.top > window.innerHeight || toast.contains(control))
      continue;
    // What a dialog covers is no control now; what the toast covers is.
    const top = document
      .elementsFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)
      .find((element) => !toast.contains(element));
    if (top && (control.contains(top) || top.contains(control))) found.push(box);
  }
  return found;
}
