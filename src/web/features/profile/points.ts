const points = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** '1,240.5': the ratings' part has one decimal. */
export function formatPoints(score: number): string {
  return points.format(score);
}
