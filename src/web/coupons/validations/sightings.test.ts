import { expect, it } from 'vitest';
import { countSightings } from './sightings.ts';

it('a code is taken when it is read for the second time, and only then', () => {
  const look = countSightings();
  const textsOf = (...texts: string[]) =>
    look(texts.map((text) => ({ text, format: 'QRCode' }))).map(({ text }) => text);
  expect(textsOf('SOUP', 'BREAD', 'BREAD')).toEqual([]);
  expect(textsOf('SOUP', 'MISREAD')).toEqual(['SOUP']);
  expect(textsOf('SOUP', 'BREAD')).toEqual(['BREAD']);
  expect(textsOf('SOUP', 'BREAD')).toEqual([]);
});
