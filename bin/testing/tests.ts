/** The tests: unit and API tests on both engines, browser tests. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runQuietly } from "../lib/child.mjs";
import { browserSources, firstBrowser } from "./browser.ts";
import { plainEnvironment } from "./checks.ts";
import { startCluster, type Cluster } from "./postgres.ts";
import { literally, type Selection } from "./selection.ts";
import { failedWith, PASSED, skippedBecause, type Counts, type Result, type Step } from "./steps.ts";
import { ofPlaywright, ofVitest, withoutPassed, type PlaywrightReport, type VitestReport } from "./tally.ts";

const LONGEST_MS = 20 * 60_000;

interface Tool {
  /** Path below node_modules. */
  script: string;
  /** Given the path where it shall write its JSON report. */
  args(report: string): string[];
  env(report: string): Record<string, string>;
  count(report: string, exitCode: number): Counts;
}

/** Runs a test tool and counts by its JSON report, not by what it prints. Of what it prints, what passed is left out, so that a failure is found at once. */
async function counted(root: string, { script, args, env, count }: Tool): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "talkback-report-"));
  const file = join(folder, "report.json");
  try {
    const { code, output } = await runQuietly(process.execPath, [join(root, "node_modules", script), ...args(file)], {
      cwd: root,
      env: plainEnvironment(env(file)),
      timeoutMs: LONGEST_MS,
    });
    if (!existsSync(file)) return failedWith(`${output}\nIt ended with code ${code} and left no report.`);
    const counts = count(readFileSync(file, "utf8"), code);
    return { ...counts, note: `${counts.passed + counts.failed} tests`, output: withoutPassed(output) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A PostgreSQL for the API tests: the one that TEST_DATABASE_URL names, or a cluster of our own where it is installed. */
export function postgres(): { step: Step; url(): string; stop(): void } {
  let url = process.env["TEST_DATABASE_URL"] ?? "";
  let cluster: Cluster | null = null;
  async function run(): Promise<Result> {
    if (url) return { ...PASSED, note: "TEST_DATABASE_URL" };
    try {
      cluster = await startCluster();
      url = cluster.url;
      return { ...PASSED, note: "a cluster of its own" };
    } catch (error) {
      const why = (error as Error).message;
      if (process.env["TALKBACK_POSTGRES"] === "required") return failedWith(why);
      return skippedBecause(`${why}: the API tests run on SQLite only`);
    }
  }
  return { step: { name: "PostgreSQL", run }, url: () => url, stop: () => cluster?.stop() };
}

/** Runs all unit and API tests, or those that are selected. */
export const unitAndApi = (root: string, databaseUrl: () => string, folder: string, { unit, title }: Partial<Selection> = {}): Step => ({
  name: "unit and API tests",
  run: () =>
    counted(root, {
      script: "vitest/vitest.mjs",
      args: (report) => [
        "run",
        ...(unit ?? []),
        ...(title ? ["-t", literally(title)] : []),
        "--reporter=default",
        "--silent=passed-only",
        "--reporter=json",
        `--outputFile.json=${report}`,
      ],
      // Each file of tests is a process of its own, which loads the same packages.
      env: () => ({ TMPDIR: folder, TEST_DATABASE_URL: databaseUrl(), NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled") }),
      count: (report, code) => ofVitest(JSON.parse(report) as VitestReport, code),
    }),
});

/** Finds or installs a browser and runs the browser tests in it, all or those that are selected; without a browser they have failed, not been skipped. */
export const browserTests = (root: string, folder: string, { browser: files, title }: Partial<Selection> = {}): Step[] => {
  let browser: string | null = null;
  return [
    {
      name: "browser",
      async run() {
        const { path, source } = await firstBrowser(browserSources(root));
        browser = path;
        return { ...PASSED, note: path ? `${path} (${source})` : source };
      },
    },
    {
      name: "browser tests",
      async run() {
        if (browser === null) return failedWith("There is no browser to run them in.");
        const path = browser;
        return counted(root, {
          script: "@playwright/test/cli.js",
          args: () => ["test", ...(files ?? []).map((file) => literally(file)), ...(title ? ["--grep", literally(title)] : []), "--reporter=list,json"],
          env: (report) => ({ TMPDIR: folder, PLAYWRIGHT_JSON_OUTPUT_FILE: report, TALKBACK_CHROMIUM: path }),
          count: (report, code) => ofPlaywright(JSON.parse(report) as PlaywrightReport, code),
        });
      },
    },
  ];
};
