/** Code blocks of a documentation page. */
export interface Snippet {
  /** Heading of its section. */
  readonly heading: string;
  readonly code: string;
}

/** The blocks of one language, in order. */
export function snippetsOf(page: string, language: string): Snippet[] {
  return page.split(/^## /m).flatMap((section) => {
    const heading = section.split('\n', 1)[0] ?? '';
    const blocks = section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
    return [...blocks].map(([, code = '']) => ({ heading, code }));
  });
}
