/**
 * A moving picture for the README, made from screenshots of the browser tests: docs/images/<name>.webp. It is made only with
 * CEMM_UPDATE_PICTURES=1, and needs the program `img2webp` (Debian: apt-get install webp).
 */
import { execFile } from 'node:child_process';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { projectDir } from '../node-red/installed-package';

/** A large picture makes the README slow to load. */
const mostBytes = 1_000_000;

export const updatesPictures = process.env['CEMM_UPDATE_PICTURES'] === '1';

export class MovingPicture {
  private readonly frames: { readonly file: string; readonly ms: number }[] = [];
  private readonly folder: string;

  constructor(
    private readonly page: Page,
    private readonly name: string,
  ) {
    this.folder = join(projectDir, 'test-results', name);
  }

  /** Screenshots have no mouse pointer, so a ring shows its place. Call it before the first page is opened. */
  async begin(): Promise<void> {
    if (!updatesPictures) return;
    await rm(this.folder, { recursive: true, force: true });
    await mkdir(this.folder, { recursive: true });
    await this.page.addInitScript(() => {
      window.addEventListener('mousemove', ({ clientX, clientY }) => {
        const ring = document.querySelector<HTMLElement>('#test-pointer') ?? document.createElement('div');
        ring.id = 'test-pointer';
        ring.style.cssText =
          'position:fixed; z-index:99999; width:22px; height:22px; border:3px solid #c00; border-radius:50%;' +
          `pointer-events:none; left:${clientX - 14}px; top:${clientY - 14}px; display:none`;
        document.body.append(ring);
      });
    });
  }

  /** Adds a screenshot of the page with this duration. */
  async frame(ms: number, { pointer = true } = {}): Promise<void> {
    if (!updatesPictures) return;
    const file = join(this.folder, `${String(this.frames.length).padStart(2, '0')}.png`);
    await this.showPointer(pointer);
    await this.page.screenshot({ path: file });
    await this.showPointer(false);
    this.frames.push({ file, ms });
  }

  async save(): Promise<void> {
    if (!updatesPictures) return;
    const target = join(projectDir, 'docs/images', `${this.name}.webp`);
    const frames = this.frames.flatMap(({ file, ms }) => ['-d', String(ms), file]);
    await promisify(execFile)('img2webp', ['-loop', '0', '-lossless', '-m', '6', ...frames, '-o', target]);
    const { size } = await stat(target);
    if (size > mostBytes) throw new Error(`${target} has ${size} bytes, which is more than ${mostBytes}.`);
  }

  private async showPointer(visible: boolean): Promise<void> {
    await this.page.evaluate(
      (display) => {
        document.querySelector<HTMLElement>('#test-pointer')?.style.setProperty('display', display);
      },
      visible ? 'block' : 'none',
    );
  }
}
