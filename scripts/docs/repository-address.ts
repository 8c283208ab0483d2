// Addresses of this repository in the web, from package.json. The links of the README are absolute, because the flow library
// makes relative ones lead to the branch `master`.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

/** `https://github.com/owner/name` */
export function repositoryAddress(): string {
  const { repository } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    repository: { url: string };
  };
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** Addresses of the files; they end with a slash. */
export function fileAddresses(): { readonly pages: string; readonly pictures: string } {
  const address = repositoryAddress();
  return {
    pages: `${address}/blob/main/`,
    pictures: `https://raw.githubusercontent.com${new URL(address).pathname}/main/`,
  };
}

/** Makes the absolute links of a page in the root of the repository relative. */
export function withRelativeLinks(text: string): string {
  const { pages, pictures } = fileAddresses();
  return text.replaceAll(`](${pages}`, '](').replaceAll(`](${pictures}`, '](');
}
