import { Box } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { NavLink } from 'react-router-dom';
import { fitting } from './fitting.ts';
import { LinkLabel } from './link-label.tsx';
import { MoreLinks } from './more-links.tsx';
import type { NavigationLink } from './navigation.ts';
import classes from './shell.module.css';

/** The bar's links, as many as there is room for; the rest are behind "More". */
export function TopLinks({ links }: { links: readonly NavigationLink[] }) {
  const bar = useRef<HTMLElement>(null);
  const ruler = useRef<HTMLDivElement>(null);
  const count = useFitting(bar, ruler, links);
  const rest = links.slice(count);
  return (
    <Box component="nav" ref={bar} visibleFrom="sm" className={classes.nav} aria-label="Main">
      <div className={classes.row}>
        {links.slice(0, count).map(({ to, label, unread }) => (
          <NavLink key={to} to={to} end className={classes.link}>
            <LinkLabel label={label} unread={unread} />
          </NavLink>
        ))}
      </div>
      {rest.length > 0 && <MoreLinks links={rest} />}
      {/* All of them, out of sight: what has no room in the bar can be measured nowhere else. */}
      <div ref={ruler} className={classes.ruler} aria-hidden="true">
        {links.map(({ to, label }) => (
          <span key={to} className={classes.link}>
            {label}
          </span>
        ))}
        <span className={classes.link}>
          More <IconChevronDown size={16} />
        </span>
      </div>
    </Box>
  );
}

/** Counts the links that fit, before they are painted and whenever the room or the letters change. */
function useFitting(
  bar: RefObject<HTMLElement | null>,
  ruler: RefObject<HTMLElement | null>,
  links: readonly NavigationLink[],
): number {
  const [count, setCount] = useState(links.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other links, other widths
  useLayoutEffect(() => {
    if (!bar.current || !ruler.current) return;
    const [nav, measured] = [bar.current, ruler.current];
    const measure = () => {
      const widths = [...measured.children].map((child) => child.getBoundingClientRect().width);
      const gap = Number.parseFloat(getComputedStyle(nav).columnGap) || 0;
      const room = nav.getBoundingClientRect().width;
      setCount(fitting(room, { links: widths.slice(0, -1), more: widths.at(-1) ?? 0, gap }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(nav);
    // Its letters may come later than the page.
    observer.observe(measured);
    return () => observer.disconnect();
  }, [bar, ruler, links]);
  return count;
}
