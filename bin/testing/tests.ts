/** The tests: unit and API tests on both engines, browser tests. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runQuietly } from "../lib/child.mjs";
import { browserSources, findBrowser } from "./browser.ts";
import { plainEnvironment } from "./checks.ts";
import { startCluster, type Cluster } from "./postgres.ts";
import { escapePattern, type Selection } from "./selection.ts";
import { failedResult, PASSED, skippedResult, type Counts, type StepResult, type Step } from "./steps.ts";
import { countPlaywright, countVitest, withoutPassedLines, type PlaywrightReport, type VitestReport } from "./tally.ts";

const TEST_TIMEOUT_MS = 20 * 60_000;

interface TestTool {
  /** Path below node_modules. */
  script: string;
  /** Given the path where it shall write its JSON report. */
  args(report: string): string[];
  env(report: string): Record<string, string>;
  count(report: string, exitCode: number): Counts;
}

/** Runs a test tool and counts by its JSON report, not by what it prints. Of what it prints, what passed is left out, so that a failure is found at once. */
async function runTestTool(root: string, { script, args, env, count }: TestTool): Promise<StepResult> {
  const folder = mkdtempSync(join(tmpdir(), "talkback-report-"));
  const file = join(folder, "report.json");
  try {
    const { code, output } = await runQuietly(process.execPath, [join(root, "node_modules", script), ...args(file)], {
      cwd: root,
      env: plainEnvironment(env(file)),
      timeoutMs: TEST_TIMEOUT_MS,
    });
    if (!existsSync(file)) return failedResult(`${output}\nIt ended with code ${code} and left no report.`);
    const counts = count(readFileSync(file, "utf8"), code);
    return { ...counts, note: `${counts.passed + counts.failed} tests`, output: withoutPassedLines(output) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A PostgreSQL for the API tests: the one that TEST_DATABASE_URL names, or a cluster of our own where it is installed. */
export function createPostgres(): { step: Step; url(): string; stop(): void } {
  let url = process.env["TEST_DATABASE_URL"] ?? "";
  let cluster: Cluster | null = null;
  async function run(): Promise<StepResult> {
    if (url) return { ...PASSED, note: "TEST_DATABASE_URL" };
    try {
      cluster = await startCluster();
      url = cluster.url;
      return { ...PASSED, note: "a cluster of its own" };
    } catch (error) {
      const reason = (error as Error).message;
      if (process.env["TALKBACK_POSTGRES"] === "required") return failedResult(reason);
      return skippedResult(`${reason}: the API tests run on SQLite only`);
    }
  }
  return { step: { name: "PostgreSQL", run }, url: () => url, stop: () => cluster?.stop() };
}

/** Runs all unit and API tests, or those that are selected. */
export const unitAndApiTests = (root: string, databaseUrl: () => string, folder: string, { unit, title }: Partial<Selection> = {}): Step => ({
  name: "unit and API tests",
  run: () =>
    runTestTool(root, {
      script: "vitest/vitest.mjs",
      args: (report) => [
        "run",
        ...(unit ?? []),
        ...(title ? ["-t", escapePattern(title)] : []),
        "--reporter=default",
        "--silent=passed-only",
        "--reporter=json",
        `--outputFile.json=${report}`,
      ],
      // Each file of tests is a process of its own, which loads the same packages.
      env: () => ({ TMPDIR: folder, TEST_DATABASE_URL: databaseUrl(), NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled") }),
      count: (report, code) => countVitest(JSON.parse(report) as VitestReport, code),
    }),
});

/** Finds or installs a browser and runs the browser tests in it, all or those that are selected; without a browser they have failed, not been skipped. */
export const browserTests = (root: string, folder: string, { browser: files, title }: Partial<Selection> = {}): Step[] => {
  let browser: string | null = null;
  return [
    {
      name: "browser",
      async run() {
        const { path, source } = await findBrowser(browserSources(root));
        browser = path;
        return { ...PASSED, note: path ? `${path} (${source})` : source };
      },
    },
    {
      name: "browser tests",
      async run() {
        if (browser === null) return failedResult("There is no browser to run them in.");
        const path = browser;
        return runTestTool(root, {
          script: "@playwright/test/cli.js",
          args: () => ["test", ...(files ?? []).map((file) => escapePattern(file)), ...(title ? ["--grep", escapePattern(title)] : []), "--reporter=list,json"],
          env: (report) => ({ TMPDIR: folder, PLAYWRIGHT_JSON_OUTPUT_FILE: report, TALKBACK_CHROMIUM: path }),
          count: (report, code) => countPlaywright(JSON.parse(report) as PlaywrightReport, code),
        });
      },
    },
  ];
};
