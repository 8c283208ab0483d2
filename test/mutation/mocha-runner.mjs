/**
 * Runs the tests for Stryker. Its own runner for mocha reads internal files that version 12 no longer has. This one uses
 * mocha's public interface, once per process; Stryker starts a new process for changes outside of functions.
 */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { PluginKind, declareClassPlugin } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  TestStatus,
  determineHitLimitReached,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import Mocha from 'mocha';
import { area } from './areas.mjs';

/** Shared with the mutated code, which reads the active mutant from it and records coverage in it. */
const shared = (globalThis.__stryker__ ??= {});

class MochaRunner {
  #mocha = new Mocha({ ui: 'bdd', timeout: 20_000, reporter: function silent() {} });
  #isLoaded = false;

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    createRequire(import.meta.url)('tsx/cjs');
    this.#mocha.cleanReferencesAfterRun(false);
    for (const file of area.tests) this.#mocha.addFile(resolve(file));
  }

  async dryRun({ coverageAnalysis, disableBail }) {
    const result = await this.#run(disableBail);
    return coverageAnalysis === 'off' ? result : { ...result, mutantCoverage: shared.mutantCoverage };
  }

  async mutantRun({ activeMutant, mutantActivation, testFilter, hitLimit, disableBail }) {
    Object.assign(shared, { hitLimit, hitCount: hitLimit === undefined ? undefined : 0 });
    await this.#load(mutantActivation === 'static' ? activeMutant.id : undefined);
    shared.activeMutant = activeMutant.id;
    const result = await this.#run(disableBail, testFilter);
    shared.activeMutant = undefined;
    return toMutantRunResult(determineHitLimitReached(shared.hitCount, hitLimit) ?? result);
  }

  async #load(activeMutant) {
    if (this.#isLoaded) return;
    shared.activeMutant = activeMutant;
    await this.#mocha.loadFilesAsync();
    this.#isLoaded = true;
  }

  async #run(disableBail, names) {
    try {
      await this.#load();
    } catch (error) {
      return { status: DryRunStatus.Error, errorMessage: String(error) };
    }
    this.#mocha.suite.bail(!disableBail);
    this.#mocha.grep(names === undefined ? /^/ : new RegExp(names.map((name) => `^${escape(name)}$`).join('|')));
    const tests = [];
    await new Promise((done) => {
      this.#mocha
        .run(done)
        .on('test', (test) => (shared.currentTestId = test.fullTitle()))
        .on('pass', (test) => tests.push(resultOf(test, TestStatus.Success)))
        .on('pending', (test) => tests.push(resultOf(test, TestStatus.Skipped)))
        .on('fail', (test, error) => {
          tests.push({ ...resultOf(test, TestStatus.Failed), failureMessage: String(error) });
        });
    });
    return { status: DryRunStatus.Complete, tests };
  }
}

function resultOf(test, status) {
  return { id: test.fullTitle(), name: test.fullTitle(), timeSpentMs: test.duration ?? 0, status };
}

function escape(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'our-mocha', MochaRunner)];
