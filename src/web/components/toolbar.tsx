import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

interface ToolbarProps {
  /** What its buttons are about. */
  readonly label: string;
  readonly children: ReactNode;
}

/**
 * Buttons that the keyboard finds as one group, the pattern "toolbar" of ARIA: Tab comes to one of them; arrows, Home and End
 * go on. Not Mantine's: its styles would come with every page. It has no box of its own.
 */
export function Toolbar({ label, children }: ToolbarProps) {
  const group = useRef<HTMLDivElement>(null);
  const buttons = () => [...(group.current?.querySelectorAll('button') ?? [])];
  const stopAt = (stop: EventTarget | undefined) => {
    for (const button of buttons()) button.tabIndex = button === stop ? 0 : -1;
  };
  useEffect(() => {
    const all = buttons();
    stopAt(all.find((button) => button.getAttribute('tabindex') === '0') ?? all[0]);
  });
  const goOn = (event: KeyboardEvent) => {
    const all = buttons();
    const at = all.findIndex((button) => button.contains(document.activeElement));
    const places: Partial<Record<string, number>> = {
      ArrowRight: (at + 1) % all.length,
      // From the first to the last.
      ArrowLeft: at - 1,
      Home: 0,
      End: -1,
    };
    const next = places[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    all.at(next)?.focus();
  };
  return (
    <div
      ref={group}
      role="toolbar"
      aria-label={label}
      style={{ display: 'contents' }}
      onKeyDown={goOn}
      onFocus={({ target }) => stopAt(target)}
    >
      {children}
    </div>
  );
}
