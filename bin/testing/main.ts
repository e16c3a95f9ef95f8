/** `npm test` (everything) and `npm run check` (all but the tests). The last line is the sum. */
import { ROOT } from "../lib/paths.mjs";
import { buildChecks, staticChecks } from "./checks.ts";
import { lastLine, runSteps, sum, type Counts } from "./steps.ts";
import { scratch } from "./scratch.ts";
import { browserTests, postgres, unitAndApi } from "./tests.ts";

const AT_ONCE = 2;

async function main(args: readonly string[]): Promise<void> {
  const unknown = args.filter((arg) => arg !== "--check");
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(" ")}. For single tests call the tools: npx vitest run <file>, npx playwright test <file>.`);
    process.exitCode = 2;
    return;
  }
  const counts: Counts[] = [await runSteps(staticChecks(ROOT), AT_ONCE), await runSteps(buildChecks(ROOT))];
  if (!args.includes("--check")) counts.push(await runTests());
  const total = sum(counts);
  console.log(`\n${lastLine(total)}`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}

async function runTests(): Promise<Counts> {
  const database = postgres();
  const { folder, remove } = scratch();
  try {
    return await runSteps([database.step, unitAndApi(ROOT, database.url, folder), ...browserTests(ROOT, folder)]);
  } finally {
    database.stop();
    remove();
  }
}

await main(process.argv.slice(2));
