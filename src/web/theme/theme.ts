import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { BREAKPOINTS } from './breakpoints.ts';

/** The accent colour, for the primary button of each screen. */
const clip: MantineColorsTuple = [
  '#fff0eb',
  '#fbdcd2',
  '#f4b7a4',
  '#ef9b81',
  '#e56f4c',
  '#da5430',
  '#c2431f',
  '#a83717',
  '#8c2c12',
  '#6f220d',
];

/** Warm greys. */
const gray: MantineColorsTuple = [
  '#faf6ef',
  '#f3ecdf',
  '#e7ddcc',
  '#d8cbb6',
  '#bfb09a',
  '#857763',
  '#6a5e4e',
  '#554b3f',
  '#3b342b',
  '#241c15',
];

/** The text and background colours of the dark theme: warm, and not the light ones inverted. */
const dark: MantineColorsTuple = [
  '#f3ece2',
  '#d9cfc3',
  '#bdb1a3',
  '#a59989',
  '#544a40',
  '#453c34',
  '#2b2520',
  '#1b1714',
  '#151210',
  '#0f0d0b',
];

/*
 * The status colours, warmer than Mantine's. These pairs have AA contrast, which Mantine's do not have: white on
 * shade 6, shade 6 on the light background, shade 9 on shade 1, shade 4 on the dark background.
 */
const red: MantineColorsTuple = [
  '#fdeeec',
  '#fbdeda',
  '#f5bcb5',
  '#ee9a90',
  '#e8857a',
  '#d4483a',
  '#b42318',
  '#97201a',
  '#7c1a15',
  '#611410',
];
const yellow: MantineColorsTuple = [
  '#fdf5e2',
  '#fbe6bf',
  '#f3d08f',
  '#e9b95d',
  '#d99a2b',
  '#b87a10',
  '#8a5600',
  '#7a4500',
  '#613800',
  '#4a2b00',
];
const green: MantineColorsTuple = [
  '#eaf6ee',
  '#dcefdd',
  '#b3dcbd',
  '#85c59a',
  '#5fb383',
  '#2f8a57',
  '#1f7445',
  '#1c5c36',
  '#16482b',
  '#103720',
];
const blue: MantineColorsTuple = [
  '#eef5fb',
  '#dbe9f5',
  '#b3d0ea',
  '#85b3da',
  '#6aa4d4',
  '#3277ad',
  '#265f8f',
  '#1d4f79',
  '#173f61',
  '#11304a',
];

/** The page's background; browsers use it for their bars, too. */
export const PAGE_GROUND = { light: '#fbf7f0', dark: '#1b1714' } as const;

const FONT = "'Bricolage Grotesque Variable', system-ui, sans-serif";

/** @param words the names of the buttons that close dialogs and toasts, which the build of the styles does not need */
export function themeWith(words: { readonly close: string; readonly dismiss: string }) {
  // Large enough for a finger.
  const closeButton = { defaultProps: { size: 44, iconSize: 20, 'aria-label': words.close } };
  return createTheme({
    breakpoints: BREAKPOINTS,
    colors: { clip, gray, dark, red, yellow, orange: yellow, green, teal: green, blue },
    primaryColor: 'clip',
    primaryShade: { light: 6, dark: 6 },
    black: '#241c15',
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
    focusRing: 'auto',
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
