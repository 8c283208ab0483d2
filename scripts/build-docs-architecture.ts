// The picture of docs/architecture.md, drawn from its tables: one column per path from the bytes to `msg.payload`, one box for
// consecutive files of a folder.

interface Way {
  readonly title: string;
  readonly files: readonly string[];
}

interface Box {
  readonly folder: string;
  readonly names: string[];
}

const boxWidth = 300;
const boxGap = 20;
const topMargin = 74;
const lineHeight = 18;
const headingHeight = 26;
const boxPadding = 10;
const arrowLength = 14;

/** Fill and line of a box. A folder has the same colour in every column. */
const colours: Readonly<Record<string, readonly [string, string]>> = {
  'src/clients': ['#dbe9f7', '#4a7fb5'],
  'src/protocol': ['#f3e6d3', '#b58a4a'],
  'src/connection': ['#e6dff3', '#7d66b0'],
  'src/webhook': ['#f7dede', '#b55f5f'],
  'src/model': ['#fbf3c9', '#a8952f'],
};
const nodeColours = ['#d6eee8', '#3f9c86'] as const;

/**
 * The paths in the tables of the page.
 * @throws {Error} if a table is missing
 */
export function waysOf(page: string): Way[] {
  const readings = rowsBelow(page, '## A reading');
  const deliveries = rowsBelow(page, '## A delivery');
  const marked = (column: number): string[] =>
    readings.filter((cells) => cells[column] === '✓').map(([file = '']) => file);
  return [
    { title: 'A reading in your own network', files: marked(2) },
    { title: 'A reading over the internet', files: marked(3) },
    { title: 'A delivery by webhook', files: deliveries.map(([file = '']) => file) },
  ];
}

export function architecturePicture(page: string): string {
  const columns = waysOf(page).map(({ title, files }, index) =>
    column(title, files, boxGap + index * (boxWidth + boxGap)),
  );
  const height = Math.max(...columns.map(({ bottom }) => bottom)) + boxGap;
  const width = columns.length * (boxWidth + boxGap) + boxGap;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="Helvetica, Arial, sans-serif" font-size="13" role="img" aria-labelledby="title">`,
    '  <title id="title">The three ways from the bytes to msg.payload, file by file</title>',
    // The background is part of the picture, which then looks the same on a light and on a dark page.
    `  <rect width="${width}" height="${height}" rx="8" fill="#ffffff"/>`,
    ...columns.flatMap(({ lines }) => lines),
    '</svg>',
    '',
  ].join('\n');
}

function column(title: string, files: readonly string[], left: number): { lines: string[]; bottom: number } {
  const middle = left + boxWidth / 2;
  const lines = [text(middle, 34, title, 'font-size="16" font-weight="bold" text-anchor="middle"')];
  lines.push(text(middle, 56, 'bytes', 'fill="#44525e" text-anchor="middle"'));
  let top = topMargin;
  for (const { folder, names } of boxesOf(files)) {
    const [fill, line] = colours[folder] ?? nodeColours;
    const height = headingHeight + names.length * lineHeight + boxPadding - 4;
    lines.push(
      arrow(middle, top - arrowLength),
      `  <rect x="${left}" y="${top}" width="${boxWidth}" height="${height}" rx="6" fill="${fill}" stroke="${line}"/>`,
      text(left + boxPadding, top + 18, folder, 'font-weight="bold"'),
      ...names.map((name, index) =>
        text(left + boxPadding + 12, top + headingHeight + 12 + index * lineHeight, name, ''),
      ),
    );
    top += height + arrowLength;
  }
  lines.push(arrow(middle, top - arrowLength));
  lines.push(text(middle, top + 16, 'msg.payload', 'fill="#44525e" text-anchor="middle"'));
  return { lines, bottom: top + 16 };
}

/** Consecutive files of one folder share a box. */
function boxesOf(files: readonly string[]): Box[] {
  const boxes: Box[] = [];
  for (const file of files) {
    const end = file.lastIndexOf('/');
    const folder = file.slice(0, end);
    const last = boxes.at(-1);
    if (last?.folder === folder) last.names.push(file.slice(end + 1));
    else boxes.push({ folder, names: [file.slice(end + 1)] });
  }
  return boxes;
}

function text(x: number, y: number, words: string, more: string): string {
  return `  <text x="${x}" y="${y}"${more.includes('fill=') ? '' : ' fill="#1f2a33"'}${more === '' ? '' : ` ${more}`}>${words}</text>`;
}

function arrow(x: number, y: number): string {
  return `  <path d="M${x} ${y + 2}v${arrowLength - 6}m-4 -4l4 4l4 -4" fill="none" stroke="#44525e" stroke-width="1.5"/>`;
}

/** The cells of the table below a heading, without the first two lines; the first cell is a file. */
function rowsBelow(page: string, heading: string): string[][] {
  const section = page.split(`\n${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(([, file = '', rest = '']) => [
    file,
    ...rest.split('|').map((cell) => cell.trim()),
  ]);
  if (rows.length === 0) throw new Error(`There is no table of files below “${heading}”.`);
  return rows;
}
