/** `npm run faults` runs every fault test in its long form, `npm run faults -- <name>` those of one name. Ends with a table of what was counted, and fails if a count that must be zero is not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { ensureBuilt } from "../lib/build.mjs";
import { ROOT } from "../lib/paths.mjs";
import { createScratchFolder } from "../testing/scratch.ts";
import { createPostgres, faultTestSteps } from "../testing/tests.ts";
import { formatSummary, runSteps, sumCounts, type Counts } from "../testing/steps.ts";
import { COUNTS_FILE, readReports } from "./counts.ts";
import { FAULTS } from "./faults.ts";
import { formatFaultTable, judge, sumReports } from "./table.ts";

const ROUNDS = "20";
const HOSTILE_REQUESTS = "2000";

function formatHelp(): string {
  const width = Math.max(...FAULTS.map(({ name }) => name.length));
  return `npm run faults               every fault test in its long form
npm run faults -- <name> …   some of them

${FAULTS.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`).join("\n")}`;
}

async function main(args: readonly string[]): Promise<void> {
  if (args.includes("--help") || args.includes("-h")) return console.log(formatHelp());
  const unknown = args.filter((arg) => !FAULTS.some(({ name }) => name === arg));
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(", ")}.\n\n${formatHelp()}`);
    return void (process.exitCode = 2);
  }
  const faults = args.length === 0 ? FAULTS : FAULTS.filter(({ name }) => args.includes(name));
  const startedAt = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "talkback-counts-"));
  const file = join(folder, "counts");
  const scratch = createScratchFolder();
  const database = createPostgres();
  // Both are read by the tests, which inherit this process's environment.
  process.env[COUNTS_FILE] = file;
  process.env["TALKBACK_FAULT_ROUNDS"] ??= ROUNDS;
  process.env["TALKBACK_HOSTILE_REQUESTS"] ??= HOSTILE_REQUESTS;
  const counts: Counts[] = [];
  try {
    counts.push(await runSteps([database.step]));
    if (faults.some(({ browserTests }) => browserTests)) await ensureBuilt(ROOT);
    for (const fault of faults) counts.push(await runSteps(faultTestSteps(ROOT, database.url, scratch.folder, fault)));
    const rows = sumReports(readReports(file));
    const { lines, isGood } = judge(rows, faults, database.url() !== "");
    const total = sumCounts(counts);
    console.log(`\n${formatFaultTable(rows)}\n\n${formatSummary(total)}, ${Math.round((performance.now() - startedAt) / 1000)} s`);
    console.log(lines.join("\n"));
    process.exitCode = !isGood || total.failed > 0 ? 1 : 0;
  } finally {
    database.stop();
    scratch.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
