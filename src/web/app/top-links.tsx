import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Link, useLocation } from 'react-router-dom';
import { listed } from '#contract/base/locale.ts';
import { currentAt, type NavigationLink, type Waiting } from './navigation.ts';
import classes from './shell.module.css';

/** How many entries the bar has at most, with "More". */
const MOST = 7;

/** The bar's links, as many as fit and no more than `MOST` entries; the rest are behind "More". */
export function TopLinks({ links }: { links: readonly NavigationLink[] }) {
  const bar = useRef<HTMLElement>(null);
  const ruler = useRef<HTMLDivElement>(null);
  const count = useFitting(bar, ruler, links);
  const { pathname } = useLocation();
  const shown = links.slice(0, count);
  const rest = links.slice(count);
  return (
    <Box component="nav" ref={bar} visibleFrom="sm" className={classes.nav} aria-label={t`Main`}>
      <div className={classes.row}>
        {shown.map((link) => (
          <BarLink key={link.to} link={link} />
        ))}
      </div>
      {rest.length > 0 && (
        <MoreLinks links={rest} isMarked={!shown.some(({ to }) => currentAt(to, pathname))} />
      )}
      {/* All links, out of sight, to be measured: the bar itself has only those that fit. */}
      <div ref={ruler} className={classes.ruler} aria-hidden="true">
        {links.map(({ to, label }) => (
          <span key={to} className={classes.link}>
            {label}
          </span>
        ))}
        <span className={classes.link}>
          <Trans>More</Trans> <IconChevronDown size={16} />
        </span>
      </div>
    </Box>
  );
}

function BarLink({ link: { to, label, waiting } }: { link: NavigationLink }) {
  const { pathname } = useLocation();
  return (
    <Link to={to} className={classes.link} aria-current={currentAt(to, pathname)}>
      <LinkLabel label={label} waiting={waiting} />
    </Link>
  );
}

/** Counts the links that fit, before the first paint and whenever the bar or the text changes size. */
function useFitting(
  bar: RefObject<HTMLElement | null>,
  ruler: RefObject<HTMLElement | null>,
  links: readonly NavigationLink[],
): number {
  const [count, setCount] = useState(MOST - 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other links have other widths
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
    // The font may load after the page.
    observer.observe(measured);
    return () => observer.disconnect();
  }, [bar, ruler, links]);
  return count;
}

/**
 * The links that do not fit into the bar, in a list that a button opens. They are plain links and follow the button in
 * tab order. The button is marked as current when the page on screen is one of them, and no link of the bar is marked.
 */
function MoreLinks({ links, isMarked }: { links: readonly NavigationLink[]; isMarked: boolean }) {
  const { pathname, key } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const frame = useClickOutside<HTMLDivElement>(() => setIsOpen(false));
  const listId = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` changes with each navigation, which closes the list
  useEffect(() => setIsOpen(false), [key]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    setIsOpen(false);
    button.current?.focus();
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) setIsOpen(false);
  };
  const waiting = links.flatMap((link) => (link.waiting?.count ? [link.waiting] : []));
  const isCurrent = isMarked && links.some(({ to }) => to === pathname);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles events that bubble from its button and links
    <div ref={frame} className={classes.more} onKeyDown={onKeyDown} onBlur={onBlur}>
      <UnstyledButton
        ref={button}
        className={classes.link}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-current={isCurrent || undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <LinkLabel label={t`More`} waiting={inAll(waiting)} />{' '}
        <IconChevronDown size={16} aria-hidden="true" />
      </UnstyledButton>
      <ul id={listId} className={classes.rest} hidden={!isOpen}>
        {links.map((link) => (
          <li key={link.to}>
            <BarLink link={link} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Widths in pixels. */
interface Widths {
  /** Of each link, in order. */
  readonly links: readonly number[];
  /** Of the button that opens the rest. */
  readonly more: number;
  /** Between two links. */
  readonly gap: number;
}

/** How many links fit into `room` pixels and `MOST` entries: all of them, or as many as leave room for the "More" button. */
export function fitting(room: number, { links, more, gap }: Widths): number {
  let end = -gap;
  const ends = links.map((width) => {
    end += gap + width;
    return end;
  });
  if (end <= room && links.length <= MOST) return links.length;
  return ends.slice(0, MOST - 1).filter((right) => right + gap + more <= room).length;
}

/** What waits on several pages, as one number and one text. */
function inAll(waiting: readonly Waiting[]): Waiting {
  return {
    count: waiting.reduce((sum, { count }) => sum + count, 0),
    text: listed(waiting.map(({ text }) => text)),
  };
}

/** A link's text with the number of what waits there, which lies over the corner: nothing moves when it appears. */
export function LinkLabel({ label, waiting }: Pick<NavigationLink, 'label' | 'waiting'>) {
  return (
    <>
      {label}
      {waiting !== undefined && waiting.count > 0 && (
        <>
          <span className={classes.waiting} aria-hidden="true">
            {waiting.count > 99 ? '99+' : waiting.count}
          </span>
          <VisuallyHidden> {waiting.text}</VisuallyHidden>
        </>
      )}
    </>
  );
}
