/** Steps for the unit and API tests on both database engines and for the browser tests. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runQuietly } from "../lib/child.mjs";
import { browserSources, findBrowser } from "./browser.ts";
import { plainEnvironment } from "./checks.ts";
import { startCluster, type Cluster } from "./postgres.ts";
import { escapePattern, type Selection } from "./selection.ts";
import { failedResult, PASSED, skippedResult, type Counts, type StepResult, type Step } from "./steps.ts";
import { countPlaywright, countVitest, withoutPassedLines, type PlaywrightReport, type VitestReport } from "./test-reports.ts";

const TEST_TIMEOUT_MS = 20 * 60_000;
/** The long form of one kind of fault takes minutes, and several times as long on a busy machine. */
const FAULT_TIMEOUT_MS = 60 * 60_000;

/** The test files of one kind of fault. */
export interface FaultTests {
  name: string;
  tests: readonly string[];
  browserTests?: readonly string[];
  workers?: number;
  rounds?: number;
}

interface TestTool {
  /** Path relative to node_modules. */
  script: string;
  /** Receives the path for the JSON report. */
  args(report: string): string[];
  env(report: string): Record<string, string>;
  count(report: string, exitCode: number): Counts;
}

/**
 * Runs a test tool and counts results from its JSON report rather than its output. Lines of passed tests are removed
 * from the output, so that a failure is easy to find.
 */
async function runTestTool(root: string, { script, args, env, count }: TestTool, timeoutMs = TEST_TIMEOUT_MS): Promise<StepResult> {
  const folder = mkdtempSync(join(tmpdir(), "talkback-report-"));
  const file = join(folder, "report.json");
  try {
    const { code, output } = await runQuietly(process.execPath, [join(root, "node_modules", script), ...args(file)], {
      cwd: root,
      env: plainEnvironment(env(file)),
      timeoutMs,
    });
    if (!existsSync(file)) return failedResult(`${output}\nIt ended with code ${code} and left no report.`);
    const counts = count(readFileSync(file, "utf8"), code);
    return { ...counts, note: `${counts.passed + counts.failed} tests`, output: withoutPassedLines(output) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Provides PostgreSQL for the API tests: the database in TEST_DATABASE_URL, or a temporary cluster if PostgreSQL is installed. */
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

/** Runs all or the selected unit and API tests. */
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
      // Shares compiled code between the test processes, because they load the same packages.
      env: () => ({ TMPDIR: folder, TEST_DATABASE_URL: databaseUrl(), NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled") }),
      count: (report, code) => countVitest(JSON.parse(report) as VitestReport, code),
    }),
});

/** Path of Playwright's command line relative to node_modules. */
export const PLAYWRIGHT = "@playwright/test/cli.js";

/** Runs all or the selected browser tests. */
export const playwrightArguments = ({ browser: files = [], title }: Partial<Selection>): string[] => [
  "test",
  ...files.map((file) => escapePattern(file)),
  ...(title ? ["--grep", escapePattern(title)] : []),
];

/** Puts test data in `folder` and the JSON report at the path `report`; `browser` is the path of the browser, or empty for Playwright's own. */
export const playwrightEnvironment = (folder: string, report: string, browser: string): Record<string, string> => ({
  TMPDIR: folder,
  PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  TALKBACK_CHROMIUM: browser,
});

/** Finds or installs a browser and runs all or the selected browser tests in it. Without a browser the tests count as failed, not as skipped. */
export const browserTestSteps = (root: string, folder: string, selection: Partial<Selection> = {}): Step[] => {
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
          script: PLAYWRIGHT,
          args: () => [...playwrightArguments(selection), "--reporter=list,json"],
          env: (report) => playwrightEnvironment(folder, report, path),
          count: (report, code) => countPlaywright(JSON.parse(report) as PlaywrightReport, code),
        });
      },
    },
  ];
};

/** Runs the long form of fault tests. Whoever calls it has set how long, and where they count, in its own environment. */
export const faultTestSteps = (
  root: string,
  databaseUrl: () => string,
  folder: string,
  { name, tests, browserTests = [], workers = 1, rounds }: FaultTests,
): Step[] => [
  ...(tests.length > 0
    ? [
        {
          name,
          run: () =>
            runTestTool(
              root,
              {
                script: "vitest/vitest.mjs",
                args: (report) => [
                  "run",
                  "--config",
                  "vitest.faults.config.ts",
                  `--maxWorkers=${workers}`,
                  ...tests,
                  "--reporter=default",
                  "--reporter=json",
                  `--outputFile.json=${report}`,
                ],
                env: () => ({
                  TMPDIR: folder,
                  TEST_DATABASE_URL: databaseUrl(),
                  NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled"),
                  ...(rounds === undefined ? {} : { TALKBACK_FAULT_ROUNDS: String(rounds) }),
                }),
                count: (report, code) => countVitest(JSON.parse(report) as VitestReport, code),
              },
              FAULT_TIMEOUT_MS,
            ),
        },
      ]
    : []),
  ...(browserTests.length > 0 ? browserTestSteps(root, folder, { browser: [...browserTests] }) : []),
];
