/** `npm test` (everything), `npm test -- <part of a path or name>` (matching tests), `npm run check` (everything but the tests). */
import { ROOT } from "../lib/paths.mjs";
import { buildChecks, staticChecks } from "./checks.ts";
import { createScratchFolder } from "./scratch.ts";
import { selectTests, type Selection } from "./selection.ts";
import { formatSummary, runSteps, sumCounts, type Counts } from "./steps.ts";
import { browserTestSteps, createPostgres, unitAndApiTests } from "./tests.ts";

const CONCURRENCY = 2;

async function main(args: readonly string[]): Promise<void> {
  const [option, ...patterns] = args[0]?.startsWith("-") ? args : [undefined, ...args];
  if ((option !== undefined && option !== "--check") || (option === "--check" && patterns.length > 0)) {
    console.error(`Unknown: ${args.join(" ")}. Usage: npm test, npm test -- <part of a path or name>, npm run check.`);
    process.exitCode = 2;
    return;
  }
  const counts = patterns.length > 0 ? await runMatching(patterns.join(" ")) : await runAll(option === "--check");
  if (!counts) return;
  console.log(`\n${formatSummary(counts)}`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

async function runAll(checksOnly: boolean): Promise<Counts> {
  const checks = [await runSteps(staticChecks(ROOT), CONCURRENCY), await runSteps(buildChecks(ROOT))];
  return sumCounts(checksOnly ? checks : [...checks, await runTests()]);
}

/** Returns null if nothing matches. */
async function runMatching(pattern: string): Promise<Counts | null> {
  const selection = selectTests(ROOT, pattern);
  const { unit, browser, title } = selection;
  if (unit.length + browser.length === 0) {
    console.error(`No test file has “${pattern}” in its path, and no test in its title.`);
    process.exitCode = 2;
    return null;
  }
  console.log(`${unit.length} unit and API files, ${browser.length} browser files${title ? `, tests with “${title}” in their title` : ""}`);
  return runTests(selection);
}

async function runTests(selection?: Selection): Promise<Counts> {
  const { folder, remove } = createScratchFolder();
  const database = createPostgres();
  const needsDatabase = !selection || selection.unit.some((path) => path.startsWith("server/"));
  try {
    return await runSteps([
      ...(needsDatabase ? [database.step] : []),
      ...(!selection || selection.unit.length > 0 ? [unitAndApiTests(ROOT, database.url, folder, selection)] : []),
      ...(!selection || selection.browser.length > 0 ? browserTestSteps(ROOT, folder, selection) : []),
    ]);
  } finally {
    database.stop();
    remove();
  }
}

await main(process.argv.slice(2));
