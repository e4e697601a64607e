/** Widths in pixels. */
export interface Widths {
  /** Of each link, in the order in which they stand. */
  readonly links: readonly number[];
  /** Of the button behind which the rest goes. */
  readonly more: number;
  /** Between two of them. */
  readonly gap: number;
}

/** How many links stand in a bar of this width: all of them, or as many as leave room for the button with the rest. */
export function fitting(room: number, { links, more, gap }: Widths): number {
  let end = -gap;
  const ends = links.map((width) => {
    end += gap + width;
    return end;
  });
  if (end <= room) return links.length;
  return ends.filter((right) => right + gap + more <= room).length;
}
