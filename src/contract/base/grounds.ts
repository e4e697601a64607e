import { COLORS } from './palette.ts';

const { gray, dark } = COLORS;

/** The page's background; browsers use it for their bars, too. */
export const PAGE_GROUND = { light: '#fbf7f0', dark: '#1b1714' } as const;

/** What stands on the page's background, in both themes. */
export const GROUNDS = {
  light: { surface: '#fffdf9', sunken: gray[1], neutral: '#ece3d4' },
  dark: { surface: '#25201b', sunken: dark[8], neutral: '#3a332c', clip: '#4a2417' },
} as const;

/** The theme's variables in the folder of the built web application; browsers do not get this file. */
export const THEME_SHEET = '.theme.css';
