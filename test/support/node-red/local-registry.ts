/**
 * A package registry on loopback with the packages that the lockfile installed, for `npm install` without a network. It packs a
 * package on request, has a catalogue for the palette manager of Node-RED, and can have versions of a package as tarballs.
 */
import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closeServer, listenOnLoopback } from '../network/loopback';
import { projectDir } from './installed-package';

/** The part of package.json that npm and the catalogue read. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
}

/** `dist-tags` and versions of one package, in npm's format. */
interface Packument {
  readonly name: string;
  readonly 'dist-tags': { readonly latest: string };
  readonly versions: Readonly<Record<string, Manifest & { readonly dist: { readonly tarball: string } }>>;
}

export class LocalRegistry {
  private constructor(
    /** Without a trailing slash. */
    readonly url: string,
    /** The file that `palette.catalogues` names. */
    readonly catalogue: string,
    readonly close: () => Promise<void>,
  ) {}

  /**
   * @param listed packages of the catalogue
   * @param published tarballs of a package that the lockfile does not install, oldest version first
   */
  static async open(listed: readonly string[], published: readonly string[] = []): Promise<LocalRegistry> {
    const places = await placesByName();
    const releases = await Promise.all(published.map(releaseOf));
    const server = createServer((request, response) => {
      void answer(request.url ?? '/', response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : undefined);
      });
    });
    const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;

    async function answer(path: string, response: ServerResponse): Promise<void> {
      const name = decodeURIComponent(path.slice(1).split('?')[0] ?? '');
      if (name === 'catalogue.json') sendJson(response, await buildRegistryCatalogue(listed));
      else if (releases.some(({ manifest }) => manifest.name === name)) {
        sendJson(response, releasesOf(name, releases, url));
      } else if (releases.some(({ id }) => name === `${id}.tgz`)) {
        response.end(releases.find(({ id }) => name === `${id}.tgz`)?.bytes);
      } else if (name.endsWith('.tgz')) pack(name.slice(0, -'.tgz'.length), response);
      else if (places.has(name)) sendJson(response, await packumentOf(name, places.get(name) ?? [], url));
      else response.writeHead(404).end();
    }

    return new LocalRegistry(url, `${url}/catalogue.json`, () => closeServer(server));
  }
}

/** Name → folders: a package has several folders if others need different versions. */
async function placesByName(): Promise<Map<string, string[]>> {
  const lockfile = JSON.parse(await readFile(join(projectDir, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { readonly name?: string }>;
  };
  const found = new Map<string, string[]>();
  for (const place of Object.keys(lockfile.packages).filter((path) => path !== '')) {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    found.set(name, [...(found.get(name) ?? []), place]);
  }
  return found;
}

async function manifestOf(place: string): Promise<Manifest | null> {
  const text = await readFile(join(projectDir, place, 'package.json'), 'utf8').catch(() => null);
  // An optional package of another platform is in the lockfile and not installed.
  return text === null ? null : (JSON.parse(text) as Manifest);
}

async function packumentOf(name: string, places: readonly string[], url: string): Promise<Packument> {
  const versions: Record<string, Packument['versions'][string]> = {};
  let latest = '';
  // The shortest path is the version that most others use.
  for (const place of [...places].sort((a, b) => b.length - a.length)) {
    const manifest = await manifestOf(place);
    if (manifest === null) continue;
    latest = manifest.version;
    versions[latest] = { ...manifest, dist: { tarball: `${url}/${encodeURIComponent(place)}.tgz` } };
  }
  return { name, 'dist-tags': { latest }, versions };
}

/** A published version. `id`: the name of its tarball. */
interface Published {
  readonly id: string;
  readonly manifest: Manifest;
  readonly bytes: Buffer;
}

async function releaseOf(file: string): Promise<Published> {
  const { stdout } = await promisify(execFile)('tar', ['-xzOf', file, 'package/package.json']);
  const manifest = JSON.parse(stdout) as Manifest;
  return { id: `${manifest.name}-${manifest.version}`, manifest, bytes: await readFile(file) };
}

function releasesOf(name: string, releases: readonly Published[], url: string): Packument {
  const ofName = releases.filter(({ manifest }) => manifest.name === name);
  const versions = ofName.map(({ id, manifest }) => {
    return [manifest.version, { ...manifest, dist: { tarball: `${url}/${id}.tgz` } }] as const;
  });
  return {
    name,
    'dist-tags': { latest: ofName.at(-1)?.manifest.version ?? '' },
    versions: Object.fromEntries(versions),
  };
}

async function buildRegistryCatalogue(names: readonly string[]): Promise<object> {
  const manifests = await Promise.all(names.map((name) => manifestOf(join('node_modules', name))));
  const modules = manifests.flatMap((manifest) =>
    manifest === null
      ? []
      : {
          id: manifest.name,
          version: manifest.version,
          description: manifest.description ?? '',
          keywords: manifest.keywords ?? [],
          updated_at: '2026-06-01T00:00:00.000Z',
          types: [],
        },
  );
  return { name: 'Node-RED Community catalogue', updated_at: '2026-06-01T00:00:00.000Z', modules };
}

/** Without the packages inside: npm requests each of them. */
function pack(place: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  const options = [
    '--exclude',
    './node_modules',
    '--transform',
    's,^\\.,package,',
    '--use-compress-program',
    'gzip -1',
  ];
  const tar = spawn('tar', ['-c', ...options, '-C', join(projectDir, place), '.'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  tar.stdout.pipe(response);
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
  response.end(JSON.stringify(body));
}
