import { AA, channelsOf, contrast, mix } from '#contract/base/contrast.ts';
import { GROUNDS, PAGE_GROUND } from '#contract/base/grounds.ts';
import { COLORS } from '#contract/base/palette.ts';

/** The colours that an operator chooses, in the form '#rrggbb'. */
export interface ChosenColors {
  /** Of the main button of each screen, with white letters on it. */
  readonly primary: string;
  readonly light: Pair;
  readonly dark: Pair;
}

/** The background of a page, and the text on it. */
interface Pair {
  readonly ground: string;
  readonly ink: string;
}

type Scheme = 'light' | 'dark';

const { clip, gray, dark } = COLORS;

export const DEFAULT_COLORS: ChosenColors = {
  primary: clip[6],
  light: { ground: PAGE_GROUND.light, ink: gray[9] },
  dark: { ground: PAGE_GROUND.dark, ink: dark[0] },
};

/** The neutral colours of each scheme. */
const NEUTRALS = {
  light: [PAGE_GROUND.light, ...Object.values(GROUNDS.light), ...gray],
  dark: [...dark, GROUNDS.dark.surface, GROUNDS.dark.neutral],
};

/** The texts in colours of a status: they stay as they are, so that people know them again. */
const STATUS_INKS = {
  light: [COLORS.red[6], COLORS.green[6], COLORS.yellow[6], COLORS.blue[6]],
  dark: [COLORS.red[4], COLORS.green[4], COLORS.yellow[4], COLORS.blue[4]],
};
/** The quietest text of each scheme. */
const DIMMED = { light: gray[6], dark: dark[2] };

/** By how much a colour moves at a time towards one that passes, and how often. */
const STEP = 0.02;
const STEPS = 50;

/** The nearest colour on the way to another that passes; null if none does. */
function nearest(from: string, to: string, passes: (color: string) => boolean, start = 0): string | null {
  for (let step = 0; step <= STEPS; step += 1) {
    const color = mix(from, to, Math.min(1, start + step * STEP));
    if (passes(color)) return color;
  }
  return null;
}

/** The market's colour in place of a neutral one: as far between ground and ink as that is. */
function neutralOf(color: string, scheme: Scheme, { ground, ink }: Pair): string {
  const sum = (hex: string) => channelsOf(hex).reduce((all, channel) => all + channel);
  const usual = DEFAULT_COLORS[scheme];
  return mix(ground, ink, (sum(usual.ground) - sum(color)) / (sum(usual.ground) - sum(usual.ink)));
}

const isReadable = (ink: string, grounds: readonly string[]) =>
  grounds.every((ground) => contrast(ink, ground) >= AA);

/** What texts stand on, in a scheme. */
function groundsOf(scheme: Scheme, pair: Pair): string[] {
  const { surface, sunken, neutral } = GROUNDS[scheme];
  return [pair.ground, ...[surface, sunken, neutral].map((color) => neutralOf(color, scheme, pair))];
}

/**
 * The colours that cannot be used, each with the reason and a value that can.
 * @returns one line a colour, which begins with its field
 */
export function unreadable({ primary, ...pairs }: ChosenColors): string[] {
  const problems: string[] = [];
  const refuse = (field: string, color: string, why: string, better: string | null) =>
    problems.push(
      `${field}: ${color} ${why}${better === null ? '' : `; ${better} has enough contrast (WCAG AA, 4.5)`}`,
    );
  const holdsWhite = (color: string) => contrast('#ffffff', color) >= AA;
  if (!holdsWhite(primary))
    refuse(
      'colors.primary',
      primary,
      'is too light for the white letters on it',
      nearest(primary, '#000000', holdsWhite),
    );
  for (const scheme of ['light', 'dark'] as const) {
    const pair = pairs[scheme];
    const away = scheme === 'light' ? '#ffffff' : '#000000';
    const holdsTexts = (ground: string) => {
      const grounds = groundsOf(scheme, { ground, ink: DEFAULT_COLORS[scheme].ink });
      return STATUS_INKS[scheme].every((ink) => isReadable(ink, grounds.slice(0, 3)));
    };
    const isInk = (ink: string) => {
      const own = { ground: pair.ground, ink };
      return isReadable(neutralOf(DIMMED[scheme], scheme, own), groundsOf(scheme, own));
    };
    if (!holdsTexts(pair.ground)) {
      const why = `is too ${scheme === 'light' ? 'dark' : 'light'} a background for texts such as errors`;
      refuse(`colors.${scheme}.ground`, pair.ground, why, nearest(pair.ground, away, holdsTexts));
    } else if (!isInk(pair.ink)) {
      const strongest = scheme === 'light' ? '#000000' : '#ffffff';
      refuse(
        `colors.${scheme}.ink`,
        pair.ink,
        'is too faint on the background',
        nearest(pair.ink, strongest, isInk),
      );
    }
  }
  return problems;
}

/**
 * What takes the place of each colour of the theme: empty if nothing was chosen.
 * @param chosen colours that are readable
 */
export function paletteOf(chosen: ChosenColors): ReadonlyMap<string, string> {
  const { primary } = chosen;
  const own = new Map<string, string>();
  for (const scheme of ['light', 'dark'] as const)
    for (const color of NEUTRALS[scheme]) own.set(color, neutralOf(color, scheme, chosen[scheme]));
  const light = groundsOf('light', chosen.light);
  const onDark = groundsOf('dark', chosen.dark);
  const tint = (part: number) => mix(primary, '#ffffff', part);
  const shade = (part: number) => mix(primary, '#000000', part);
  const strong = (part: number, grounds: readonly string[]) =>
    nearest(primary, '#000000', (color) => isReadable(color, grounds), part) ?? '#000000';
  const bright = (part: number) =>
    nearest(primary, '#ffffff', (color) => isReadable(color, onDark), part) ?? '#ffffff';
  const shades = [
    ...[tint(0.92), tint(0.82), tint(0.62), bright(0.46), bright(0.25), tint(0.1)],
    ...[primary, strong(0.14, light), shade(0.28), strong(0.43, [tint(0.62)])],
  ];
  for (const [index, color] of clip.entries()) own.set(color, shades[index] ?? primary);
  own.set(GROUNDS.dark.clip, mix(primary, chosen.dark.ground, 0.72));
  return own;
}

let own: ReadonlyMap<string, string> = new Map();

/** Gives the market of this process its colours; a server does it once, at start. */
export function setMarketColors(palette: ReadonlyMap<string, string>): void {
  own = palette;
}

/** The market's colour in place of one of the theme's. */
export function ownColor(color: string): string {
  return own.get(color) ?? color;
}

/**
 * The declarations of a style sheet that the market's colours change, in rules that are stronger than the sheet's own.
 * @param sheet of the theme: rules without others in them
 */
export function ownRules(sheet: string): string {
  const inOwn = (value: string) =>
    value
      .replace(/#[\da-f]{6}\b/g, (color) => ownColor(color))
      .replace(/rgba\((\d+), (\d+), (\d+)/g, (whole, ...channels: string[]) => {
        const hex = `#${channels
          .slice(0, 3)
          .map((each) => Number(each).toString(16).padStart(2, '0'))
          .join('')}`;
        return own.has(hex) ? `rgba(${channelsOf(ownColor(hex)).join(', ')}` : whole;
      });
  const rules = sheet.split('}').map((rule) => {
    const [selector = '', body = ''] = rule.split('{').slice(-2);
    const changed = body.split(';').filter((one) => inOwn(one) !== one);
    // Twice `:root`: this sheet may come before the other one.
    return changed.length === 0
      ? ''
      : `${strengthened(selector)}{${changed.map((one) => inOwn(one).trim()).join(';')}}`;
  });
  return rules.join('');
}

const strengthened = (selector: string) =>
  selector
    .split(',')
    .filter((one) => one.includes(':root'))
    .map((one) => one.trim().replace(':root', ':root:root'))
    .join(',');
