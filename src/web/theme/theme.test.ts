import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import { describe, expect, it } from 'vitest';
import { AA, contrast } from '#contract/base/contrast.ts';
import { STUB_COLORS, stubColor } from '#contract/coupons/stub-colors.ts';
import { cssVariables } from './css-variables.ts';
import { themeWith } from './theme.ts';

const whole = mergeMantineTheme(DEFAULT_THEME, themeWith({ close: '', dismiss: '' }));
const mantine = defaultCssVariablesResolver(whole);
const own = cssVariables(whole);

type Name = `--${string}`;

function isName(text: string | undefined): text is Name {
  return text?.startsWith('--') === true;
}

/** A variable's colour in a scheme, through the variables it refers to. */
function colorOf(scheme: 'light' | 'dark', name: Name): string {
  const value =
    own[scheme][name] ?? own.variables[name] ?? mantine[scheme][name] ?? mantine.variables[name] ?? '';
  const reference = /^var\((--[\w-]+)\)$/.exec(value)?.[1];
  if (isName(reference)) return colorOf(scheme, reference);
  const short = /^#([\da-f])([\da-f])([\da-f])$/.exec(value);
  const hex = short
    ? `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join('')}`
    : value;
  if (!/^#[\da-f]{6}$/.test(hex)) throw new Error(`${name} is no plain colour in ${scheme}: ${value}`);
  return hex;
}

const GROUNDS = ['--mantine-color-body', '--surface', '--surface-sunken'] as const;
const INKS = ['text', 'dimmed', 'anchor', 'error', 'red-text', 'green-text', 'yellow-text', 'blue-text'];
const TONES = ['success', 'warning', 'danger', 'neutral', 'info'];
const FILLED = ['clip', 'red', 'green', 'teal', 'yellow', 'orange', 'blue', 'gray'];

describe.each(['light', 'dark'] as const)('AA contrast in the %s theme', (scheme) => {
  it.each(INKS.flatMap((ink) => GROUNDS.map((ground) => [ink, ground] as const)))(
    'has %s on %s',
    (ink, ground) => {
      const ratio = contrast(colorOf(scheme, `--mantine-color-${ink}`), colorOf(scheme, ground));
      expect(ratio).toBeGreaterThanOrEqual(AA);
    },
  );

  it.each(TONES)('has a badge of tone %s', (tone) => {
    const ratio = contrast(colorOf(scheme, `--${tone}-ink`), colorOf(scheme, `--${tone}-ground`));
    expect(ratio).toBeGreaterThanOrEqual(AA);
  });

  it.each(FILLED)('has white on filled %s', (color) => {
    expect(contrast('#ffffff', colorOf(scheme, `--mantine-color-${color}-filled`))).toBeGreaterThanOrEqual(
      AA,
    );
    expect(
      contrast('#ffffff', colorOf(scheme, `--mantine-color-${color}-filled-hover`)),
    ).toBeGreaterThanOrEqual(AA);
  });

  it.each(FILLED)('has the light variant of %s', (color) => {
    const ink = colorOf(scheme, `--mantine-color-${color}-light-color`);
    for (const ground of ['light', 'light-hover']) {
      const ratio = contrast(ink, colorOf(scheme, `--mantine-color-${color}-${ground}`));
      expect(ratio).toBeGreaterThanOrEqual(AA);
    }
  });

  it('has placeholders in fields', () => {
    const field = scheme === 'light' ? '#ffffff' : colorOf('dark', '--mantine-color-dark-6');
    const ratio = contrast(colorOf(scheme, '--mantine-color-placeholder'), field);
    expect(ratio).toBeGreaterThanOrEqual(AA);
  });
});

describe('the colour of a stub', () => {
  it.each(STUB_COLORS)('has AA contrast with white on %s', (color) => {
    expect(contrast('#ffffff', color)).toBeGreaterThanOrEqual(AA);
  });

  it('is always the same for a merchant, regardless of case', () => {
    expect(new Set(STUB_COLORS).size).toBe(12);
    expect(stubColor('Maple & Rye')).toBe(stubColor('maple & rye'));
    const seen = new Set(Array.from({ length: 200 }, (_, index) => stubColor(`Merchant ${index}`)));
    expect(seen.size).toBe(12);
  });
});
