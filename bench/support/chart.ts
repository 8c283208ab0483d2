/** Cost per point over the length of a range, as a small SVG. */
interface Point {
  readonly days: number;
  readonly ratio: number;
}

const width = 560;
const height = 220;
const left = 50;
const bottom = 30;

export function chartOf(points: readonly Point[]): string {
  const most = Math.max(...points.map(({ days }) => days));
  const x = (days: number): number => Math.round(left + ((width - left - 20) * Math.log(days)) / Math.log(most));
  const y = (ratio: number): number => Math.round(height - bottom - ((height - bottom - 20) * Math.min(ratio, 2)) / 2);
  const line = points.map(({ days, ratio }) => `${x(days)},${y(ratio)}`).join(' ');
  const rules = [0, 1, 2].map(
    (ratio) =>
      `<line x1="${left}" x2="${width - 20}" y1="${y(ratio)}" y2="${y(ratio)}" stroke="#999" stroke-width="0.5"/>` +
      `<text x="${left - 8}" y="${y(ratio) + 4}" text-anchor="end">${ratio}</text>`,
  );
  const marks = points.map(
    ({ days, ratio }) =>
      `<circle cx="${x(days)}" cy="${y(ratio)}" r="3" fill="#2a7"/>` +
      `<text x="${x(days)}" y="${height - 10}" text-anchor="middle">${days}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" font-family="sans-serif" font-size="11" fill="#777">`,
    '<title>Cost per point against one day, over the days of a range</title>',
    ...rules,
    `<polyline points="${line}" fill="none" stroke="#2a7" stroke-width="2"/>`,
    ...marks,
    `<text x="${width - 20}" y="${height - 40}" text-anchor="end">days</text>`,
    '</svg>',
  ].join('\n');
}
