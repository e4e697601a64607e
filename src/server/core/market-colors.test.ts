import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AA, contrast } from '#contract/base/contrast.ts';
import { GROUNDS } from '#contract/base/grounds.ts';
import { COLORS } from '#contract/base/palette.ts';
import { type ChosenColors, DEFAULT_COLORS, paletteOf, unreadable } from './market-colors.ts';

const { clip, gray, dark } = COLORS;
const hex = fc.integer({ min: 0, max: 0xffffff }).map((color) => `#${color.toString(16).padStart(6, '0')}`);
const chosen = fc.record({
  primary: hex,
  light: fc.record({ ground: hex, ink: hex }),
  dark: fc.record({ ground: hex, ink: hex }),
});

/** What the message of a refused colour proposes. */
const proposed = (problem: string) => /; (#[\da-f]{6}) has/.exec(problem)?.[1];

it('the colours that are there are readable', () => {
  expect(unreadable(DEFAULT_COLORS)).toEqual([]);
});

it('says which colour is too faint, and one that passes', () => {
  const problems = unreadable({
    primary: '#ff8800',
    light: { ground: '#bbbbbb', ink: '#000000' },
    dark: { ground: '#0e1822', ink: '#667788' },
  });
  expect(problems.map((problem) => problem.split(':')[0])).toEqual([
    'colors.primary',
    'colors.light.ground',
    'colors.dark.ink',
  ]);
  const [primary = '', ground = '', ink = ''] = problems.map(proposed);
  const better = { primary, light: { ground, ink: '#000000' }, dark: { ground: '#0e1822', ink } };
  expect(unreadable(better)).toEqual([]);
});

it('whatever is accepted can be read: white on the main button, links and quiet texts on every background', () => {
  fc.assert(
    fc.property(chosen, ({ primary, ...pairs }) => {
      // Most colours by chance are refused: take what is proposed instead.
      const better = (refused: ChosenColors) => {
        const colors = { primary: refused.primary, light: { ...refused.light }, dark: { ...refused.dark } };
        for (const problem of unreadable(refused)) {
          const color = proposed(problem) ?? '';
          const [, scheme, part] = /^colors\.(light|dark)\.(ground|ink)/.exec(problem) ?? [];
          if (scheme === undefined) colors.primary = color;
          else colors[scheme as 'light' | 'dark'][part as 'ground' | 'ink'] = color;
        }
        return colors;
      };
      const colors = better(better({ primary, ...pairs }));
      fc.pre(unreadable(colors).length === 0);
      const own = paletteOf(colors);
      const of = (color: string) => own.get(color) ?? '';
      const light = [colors.light.ground, of(GROUNDS.light.surface), of(GROUNDS.light.sunken)];
      const onDark = [colors.dark.ground, of(GROUNDS.dark.surface), of(GROUNDS.dark.sunken)];
      const pairsToRead = [
        ['#ffffff', of(clip[6])],
        ['#ffffff', of(clip[7])],
        [of(clip[9]), of(clip[2])],
        [of(clip[0]), of(GROUNDS.dark.clip)],
        ...light.flatMap((ground) => [of(clip[7]), of(gray[6]), of(gray[9])].map((ink) => [ink, ground])),
        ...onDark.flatMap((ground) => [of(clip[3]), of(dark[2]), of(dark[0])].map((ink) => [ink, ground])),
      ];
      for (const [ink = '', ground = ''] of pairsToRead)
        expect(contrast(ink, ground), `${ink} on ${ground}`).toBeGreaterThanOrEqual(AA);
    }),
    { numRuns: 300 },
  );
});
