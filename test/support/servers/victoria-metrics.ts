/** A separate VictoriaMetrics server on a free loopback port, started with the options of docs/databases.md. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDir } from '../node-red/installed-package';
import { freePort } from '../node-red/node-red';
import { folderFor, launch, programPath, type Server } from './server-program';
import { snippetsOf } from '../docs/snippets';

/** A time series as VictoriaMetrics exports it. */
export interface StoredSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly number[];
  readonly timestamps: readonly number[];
}

export interface VictoriaMetrics extends Server {
  readonly url: string;
  /** The results of an instant query. */
  query(expression: string): Promise<number[]>;
  /** One value per hour, with its time in ms. */
  queryHours(expression: string, from: number, to: number): Promise<(readonly [time: number, value: number])[]>;
  /** Every stored value of a metric. */
  stored(metric: string): Promise<StoredSeries[]>;
}

interface Answer {
  data: { result: { value: [number, string]; values: [number, string][] }[] };
}

/** It scrapes the target each second, if there is one. */
export async function startVictoriaMetrics(target: string | null = null): Promise<VictoriaMetrics> {
  const program = programPath('victoria-metrics', 'victoria-metrics');
  const folder = await folderFor('victoria-metrics');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const jobs = join(folder, 'scrape.yml');
  if (target !== null) await writeFile(jobs, scrapeJobs(target));
  const scrapes = target === null ? [] : [`-promscrape.config=${jobs}`];
  const args = [
    ...documentedOptions(),
    ...scrapes,
    `-httpListenAddr=127.0.0.1:${port}`,
    `-storageDataPath=${folder}/data`,
  ];
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/health`).then(
      ({ status }) => status === 200,
      () => false,
    );
  const server = await launch({ program, folder, args, isReady });

  async function queryFresh(path: string, parameters: Readonly<Record<string, string>>): Promise<Response> {
    // Otherwise queries see new values only after some seconds.
    await fetch(`${url}/internal/force_flush`);
    const response = await fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(parameters) });
    if (!response.ok) throw new Error(await response.text());
    return response;
  }

  return {
    ...server,
    url,
    query: async (expression) => {
      const { data } = (await (await queryFresh('/api/v1/query', { query: expression })).json()) as Answer;
      return data.result.map(({ value: [, value] }) => Number(value));
    },
    queryHours: async (expression, from, to) => {
      const range = { query: expression, step: '1h', start: String(from / 1000), end: String(to / 1000), nocache: '1' };
      const { data } = (await (await queryFresh('/api/v1/query_range', range)).json()) as Answer;
      return (data.result[0]?.values ?? []).map(([time, value]) => [time * 1000, Number(value)] as const);
    },
    stored: async (metric) => {
      const lines = await (await queryFresh('/api/v1/export', { 'match[]': metric })).text();
      return lines
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as StoredSeries);
    },
  };
}

/** The file of Prometheus with a job that scrapes the target each second; VictoriaMetrics takes the same, with its own default for times. */
export function scrapeJobs(target: string): string {
  const times = 'scrape_interval: 1s, scrape_timeout: 1s, honor_timestamps: true';
  return `scrape_configs: [{ job_name: cemm, ${times}, static_configs: [{ targets: ['${target}'] }] }]\n`;
}

/** Options of the command in the page: without them a year is dropped, or counted twice. */
function documentedOptions(): string[] {
  const page = readFileSync(join(projectDir, 'docs/databases.md'), 'utf8');
  const command = snippetsOf(page, 'sh').find(({ heading }) => heading === 'VictoriaMetrics')?.code ?? '';
  return command.trim().split(' ').slice(1);
}
