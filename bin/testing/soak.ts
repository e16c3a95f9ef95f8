/**
 * `npm run test:soak -- [rounds] [pattern]`: runs the browser tests repeatedly in random order, every second round under
 * load. Screenshots and page snapshots of failed tests stay in `test-results/soak-<round>`. `7-12` as rounds runs only
 * rounds 7 to 12.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "../lib/build.mjs";
import { runQuietly } from "../lib/child.mjs";
import { ROOT } from "../lib/paths.mjs";
import { browserSources, findBrowser } from "./browser.ts";
import { plainEnvironment } from "./checks.ts";
import { startLoad } from "./cpu-load.ts";
import { createScratchFolder } from "./scratch.ts";
import { selectTests, type Selection } from "./selection.ts";
import { addRound, formatSoakTable, type SoakRow } from "./soak-table.ts";
import { readBrowserTests, type BrowserTest, type PlaywrightReport } from "./test-reports.ts";
import { PLAYWRIGHT, playwrightArguments, playwrightEnvironment } from "./tests.ts";

const ROUNDS = 20;
/** In a round under load, the page's CPU is also throttled by `THROTTLE`, and test timeouts are multiplied by `TIMEOUT_FACTOR`. */
const THROTTLE = 2;
const TIMEOUT_FACTOR = 3;
const ROUND_TIMEOUT_MS = 60 * 60_000;

interface Round {
  tests: BrowserTest[];
  /** Error outside of any test. */
  error?: string;
}

async function main(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  const [rounds, start, end] = /^(\d+)(?:-(\d+))?$/.exec(first ?? "") ?? [];
  const firstRound = end === undefined ? 1 : Number(start);
  const lastRound = Number(end ?? start ?? ROUNDS);
  if (firstRound === 0 || lastRound < firstRound) return fail("A soak has at least one round, and they are counted from 1.", 2);
  const pattern = (rounds === undefined ? args : rest).join(" ");
  const selection: Partial<Selection> = pattern === "" ? {} : selectTests(ROOT, pattern);
  if (pattern !== "" && selection.browser?.length === 0) return fail(`No browser test has “${pattern}” in its path or title.`, 2);
  await ensureBuilt(ROOT);
  const { path } = await findBrowser(browserSources(ROOT));
  const rows = new Map<string, SoakRow>();
  let failedRounds = 0;
  for (let round = firstRound; round <= lastRound; round += 1) {
    const isLoaded = round % 2 === 0;
    const startedAt = Date.now();
    const { tests, error } = await runRound(path, selection, round, isLoaded);
    addRound(rows, tests);
    const failed = tests.filter(({ status }) => status === "unexpected");
    if (failed.length > 0 || error) failedRounds += 1;
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    console.log(`round ${round} of ${lastRound}, ${isLoaded ? "beside a load" : "quiet"}: ${tests.length} tests, ${failed.length} failed, ${seconds} s`);
    for (const failedTest of failed) console.log(`  ${failedTest.name}\n${(failedTest.error ?? "").replaceAll(/^/gm, "    ")}`);
    if (error) console.log(error.replaceAll(/^/gm, "  "));
  }
  console.log(`\n${formatSoakTable(rows)}\n\n${lastRound - firstRound + 1} rounds, ${failedRounds} with a failure`);
  if (failedRounds > 0) process.exitCode = 1;
}

function fail(message: string, code: number): void {
  console.error(message);
  process.exitCode = code;
}

async function runRound(browser: string, selection: Partial<Selection>, round: number, isLoaded: boolean): Promise<Round> {
  const { folder, remove } = createScratchFolder();
  const reportFolder = mkdtempSync(join(tmpdir(), "talkback-soak-"));
  const reportPath = join(reportFolder, "report.json");
  const artifacts = join(ROOT, "test-results", `soak-${round}`);
  const stop = isLoaded ? startLoad() : () => {};
  try {
    const { code, output } = await runQuietly(
      process.execPath,
      [
        join(ROOT, "node_modules", PLAYWRIGHT),
        ...playwrightArguments(selection),
        `--shuffle=${round}`,
        "--retries=0",
        "--reporter=json",
        `--output=${artifacts}`,
      ],
      {
        cwd: ROOT,
        timeoutMs: ROUND_TIMEOUT_MS,
        env: plainEnvironment({
          ...playwrightEnvironment(folder, reportPath, browser),
          ...(isLoaded ? { TALKBACK_TEST_THROTTLE: String(THROTTLE), TALKBACK_TEST_TIMEOUT_FACTOR: String(TIMEOUT_FACTOR) } : {}),
        }),
      },
    );
    if (!existsSync(reportPath)) return { tests: [], error: `Playwright ended with ${code} and left no report.\n${output}` };
    const result = JSON.parse(readFileSync(reportPath, "utf8")) as PlaywrightReport;
    const tests = readBrowserTests(result).filter(({ status }) => status !== "skipped");
    const hasFailed = tests.some(({ status }) => status === "unexpected");
    if (!hasFailed) rmSync(artifacts, { recursive: true, force: true });
    const errors = result.errors.map((reported) => (reported as { message?: string }).message ?? "").join("\n");
    const isUnexplained = code !== 0 && !hasFailed;
    const error = errors || (isUnexplained ? `Playwright ended with ${code} although no test failed.` : "");
    return { tests, ...(error ? { error } : {}) };
  } finally {
    stop();
    remove();
    rmSync(reportFolder, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
