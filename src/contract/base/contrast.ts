/** WCAG 2.2, 1.4.3: the minimum contrast of text and background. */
export const AA = 4.5;

/** The red, green and blue of '#rrggbb', from 0 to 255. */
export function channelsOf(hex: string): [red: number, green: number, blue: number] {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

function luminance(hex: string): number {
  const [red, green, blue] = channelsOf(hex).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, from 1 to 21, as WCAG defines it. @param one in the form '#rrggbb' */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** A colour on the way from one to another. @param part 0: the first, 1: the other; outside of it as far as there are colours */
export function mix(from: string, to: string, part: number): string {
  const other = channelsOf(to);
  const channels = channelsOf(from).map((channel, index) => {
    const value = Math.round(channel + ((other[index] ?? 0) - channel) * part);
    return Math.min(255, Math.max(0, value)).toString(16).padStart(2, '0');
  });
  return `#${channels.join('')}`;
}
