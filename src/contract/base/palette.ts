/** Ten shades of a colour, from the lightest to the darkest; of `dark` it is the other way round for texts. */
type Shades = readonly [string, string, string, string, string, string, string, string, string, string];

/** The accent colour, for the primary button of each screen. */
const clip: Shades = [
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
const gray: Shades = [
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
const dark: Shades = [
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
const red: Shades = [
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
const yellow: Shades = [
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
const green: Shades = [
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
const blue: Shades = [
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

/** The colours of the theme. A market's own take the place of `clip`, `gray` and `dark`. */
export const COLORS = { clip, gray, dark, red, yellow, green, blue };
