import { createTheme } from '@mantine/core';
import { COLORS } from '#contract/base/palette.ts';
import { BREAKPOINTS } from './breakpoints.ts';

const FONT = "'Bricolage Grotesque Variable', system-ui, sans-serif";

/** @param words the names of the buttons that close dialogs and toasts, which the build of the styles does not need */
export function themeWith(words: { readonly close: string; readonly dismiss: string }) {
  // Large enough for a finger.
  const closeButton = { defaultProps: { size: 44, iconSize: 20, 'aria-label': words.close } };
  return createTheme({
    breakpoints: BREAKPOINTS,
    colors: { ...COLORS, orange: COLORS.yellow, teal: COLORS.green },
    primaryColor: 'clip',
    primaryShade: { light: 6, dark: 6 },
    black: COLORS.gray[9],
    fontFamily: FONT,
    // In addition to Mantine's, from xs (12 px) to xl (20 px).
    fontSizes: {
      xxs: '0.6875rem',
      caption: '0.8125rem',
      compact: '0.9375rem',
      lead: '1.0625rem',
      xxl: '1.5rem',
      title: '1.75rem',
      display: '2.25rem',
      headline: 'clamp(2rem, 1.3rem + 3vw, 3.25rem)',
      hero: 'clamp(1.875rem, 1.2rem + 3vw, 3.25rem)',
    },
    headings: { fontFamily: FONT, fontWeight: '750' },
    defaultRadius: 'md',
    cursorType: 'pointer',
    // A class without rules: the ring of every element is in global.css.
    focusClassName: 'focusable',
    respectReducedMotion: true,
    components: {
      Modal: {
        defaultProps: {
          centered: true,
          radius: 'lg',
          overlayProps: { backgroundOpacity: 0.5 },
          // A <header> in a dialog must not count as the page's banner.
          attributes: { header: { role: 'presentation' } },
        },
        styles: { title: { fontSize: 'var(--mantine-font-size-xl)', fontWeight: 750 } },
      },
      Drawer: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
      DrawerCloseButton: closeButton,
      ModalCloseButton: closeButton,
      Button: { defaultProps: { radius: 'xl' } },
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': words.dismiss } } },
    },
  });
}
