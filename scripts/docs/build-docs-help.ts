// Converts a help page of the editor to Markdown. The help uses a small, closed set of HTML; anything else is an error.

interface Element {
  readonly tag: string;
  readonly attributes: string;
  readonly children: (Element | string)[];
}

const known = new Set('root script p h3 h4 dl dt dd ol ul li pre code span strong em a'.split(' '));
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'", nbsp: ' ' };

/** @throws {Error} if the page is not well-formed or has an unknown element or entity */
export function helpToMarkdown(html: string): string {
  const page = parseHelp(html).children.find((child) => typeof child !== 'string' && child.tag === 'script');
  if (page === undefined || typeof page === 'string') throw new Error('The help page has no <script>.');
  return `${blocks(page, '').join('\n\n')}\n`;
}

function parseHelp(html: string): Element {
  const root: Element = { tag: 'root', attributes: '', children: [] };
  const open = [root];
  for (const [, closing, tag = '', attributes = '', text = ''] of html.matchAll(/<(\/?)([a-z]\w*)([^>]*)>|([^<]+)/g)) {
    const parent = open.at(-1) ?? root;
    if (text !== '') parent.children.push(text);
    else if (!known.has(tag)) throw new Error(`The element <${tag}> is not known.`);
    else if (closing === '/') {
      if (open.pop()?.tag !== tag) throw new Error(`</${tag}> closes something else.`);
    } else {
      const element: Element = { tag, attributes, children: [] };
      parent.children.push(element);
      open.push(element);
    }
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)?.tag ?? ''}> is not closed.`);
  return root;
}

/** Blocks of Markdown, to be joined by blank lines. `indent` precedes every line except the first of a list item. */
function blocks(element: Element, indent: string): string[] {
  const parts: string[] = [];
  let running: (Element | string)[] = [];
  const endParagraph = (): void => {
    const text = inline(running);
    if (text !== '') parts.push(text);
    running = [];
  };
  for (const child of element.children) {
    if (typeof child === 'string' || isInline(child)) running.push(child);
    else {
      endParagraph();
      parts.push(block(child, indent));
    }
  }
  endParagraph();
  return parts;
}

function block(element: Element, indent: string): string {
  switch (element.tag) {
    case 'p':
      return inline(element.children);
    case 'h3':
      return `## ${inline(element.children)}`;
    case 'h4':
      return `### ${inline(element.children)}`;
    case 'pre':
      return sample(collectText(element), indent);
    case 'dl':
      return definitions(element, indent);
    case 'ul':
      return items(element, () => '- ', indent);
    case 'ol':
      return items(element, (index) => `${index + 1}. `, indent);
    default:
      throw new Error(`<${element.tag}> stands in the wrong place.`);
  }
}

function items(list: Element, markOf: (index: number) => string, indent: string): string {
  return elements(list, 'li')
    .map((item, index) => {
      const mark = markOf(index);
      const inner = indent + ' '.repeat(mark.length);
      return `${mark}${blocks(item, inner).join(`\n\n${inner}`)}`;
    })
    .join(`\n${indent}`);
}

/** `<dt>name <span>type</span></dt><dd>text</dd>` as one item of a list. */
function definitions(list: Element, indent: string): string {
  const [terms, texts] = [elements(list, 'dt'), elements(list, 'dd')];
  if (terms.length !== texts.length) throw new Error('A <dl> needs one <dd> for each <dt>.');
  return terms
    .map((term, index) => {
      const optional = term.attributes.includes('optional');
      const name = inline(term.children.filter((child) => typeof child === 'string' || child.tag !== 'span'));
      const type = inline(term.children.filter((child) => typeof child !== 'string' && child.tag === 'span'));
      const kind = [type, optional ? 'optional' : ''].filter((part) => part !== '').join(', ');
      return `- **${name}**${kind === '' ? '' : ` (${kind})`}: ${inline(texts[index]?.children ?? [])}`;
    })
    .join(`\n${indent}`);
}

function sample(text: string, indent: string): string {
  return ['```' + (isJson(text) ? 'json' : 'text'), ...text.trimEnd().split('\n'), '```'].join(`\n${indent}`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function elements(parent: Element, tag: string): Element[] {
  return parent.children.flatMap((child) => {
    if (typeof child === 'string') {
      if (child.trim() === '') return [];
      throw new Error(`“${child.trim()}” stands loose in a <${parent.tag}>.`);
    }
    return child.tag === tag ? [child] : [];
  });
}

function isInline(element: Element): boolean {
  return ['code', 'span', 'strong', 'em', 'a'].includes(element.tag);
}

function inline(children: readonly (Element | string)[]): string {
  return children
    .map((child) => {
      if (typeof child === 'string') return escapeMarkdown(decoded(child));
      switch (child.tag) {
        case 'code':
          return `\`${collectText(child)}\``;
        case 'strong':
          return `**${inline(child.children)}**`;
        case 'em':
          return `*${inline(child.children)}*`;
        case 'a':
          return `[${inline(child.children)}](${/href="([^"]*)"/.exec(child.attributes)?.[1] ?? ''})`;
        default:
          return inline(child.children);
      }
    })
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

function collectText(element: Element): string {
  return element.children.map((child) => (typeof child === 'string' ? decoded(child) : collectText(child))).join('');
}

function decoded(text: string): string {
  return text.replace(/&(#?\w+);/g, (_, name: string) => {
    const character = entities[name];
    if (character === undefined) throw new Error(`The entity &${name}; is not known.`);
    return character;
  });
}

/** Escapes characters that Markdown reads as emphasis, a link or an element. */
function escapeMarkdown(text: string): string {
  return text.replace(/[*_<>[\]|]/g, '\\$&');
}
