/** `npm run bench`: runs benchmarks, prints a table, and writes a JSON file with every round. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "../bin/lib/paths.mjs";
import { EXTRA_BENCHMARKS, EXTRA_PROGRAMS, ROWS } from "./benchmarks.ts";
import { type BenchArguments, parseArguments } from "./lib/arguments.ts";
import { type Benchmark, type Result, toResult } from "./lib/benchmark.ts";
import { BENCH_FOLDER, createContext, type RunningContext } from "./lib/context.ts";
import { describeMachine, formatMachine, type Machine } from "./lib/machine.ts";
import { formatMarkdown, formatTable } from "./lib/table.ts";

const RESULTS_FOLDER = join(BENCH_FOLDER, "results");
/** Several times as long as the longest one takes on two cores. */
const DEADLINE_MS = 5 * 60_000;
const EXTRAS = [...EXTRA_BENCHMARKS, ...EXTRA_PROGRAMS];
const KNOWN = [...ROWS, ...EXTRAS].map(({ name }) => name);

interface Run {
  machine: Machine;
  command: string;
  seconds: number;
  isQuick: boolean;
  results: Result[];
  /** Messages of benchmarks that failed, by name. */
  failures: Record<string, string>;
}

function list(): string {
  const width = Math.max(...KNOWN.map((name) => name.length));
  const lines = (all: readonly { name: string; title: string }[]) => all.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`).join("\n");
  return `Rows of the table:\n${lines(ROWS)}\n\nOnly by name:\n${lines(EXTRAS)}`;
}

/** Prints the table of the newest run that was not quick as Markdown. */
function printMarkdown(): void {
  let files: string[] = [];
  try {
    files = readdirSync(RESULTS_FOLDER).filter((name) => name.endsWith(".json"));
  } catch {
    // There was no run yet.
  }
  const runs = files.toSorted().map((name) => JSON.parse(readFileSync(join(RESULTS_FOLDER, name), "utf8")) as Run);
  const run = runs.findLast(({ isQuick }) => !isQuick);
  if (!run) throw new Error("There are no results yet. Run npm run bench first.");
  console.log(`Measured with \`${run.command}\` in ${Math.round(run.seconds)} s: ${formatMachine(run.machine)}.\n\n${formatMarkdown(run.results)}`);
}

/** Rejects after so long; the benchmark then fails, and the others run. */
async function withDeadline<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`It took longer than ${DEADLINE_MS / 60_000} minutes`)), DEADLINE_MS);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

async function runRows(rows: readonly Benchmark[], context: RunningContext): Promise<Pick<Run, "results" | "failures">> {
  const [results, failures]: [Result[], Record<string, string>] = [[], {}];
  for (const { name, run } of rows) {
    context.setName(name);
    context.log("begins");
    try {
      const lines = await withDeadline(run(context));
      results.push(...lines.map((line) => toResult(name, line)));
    } catch (error) {
      // A signal has ended what the benchmark needs; its handler ends this process.
      if (context.isClosed()) await new Promise(() => {});
      failures[name] = (error as Error).message;
      context.log(`FAILED: ${(error as Error).stack}`);
    }
  }
  return { results, failures };
}

async function runPrograms(names: readonly string[], context: RunningContext): Promise<void> {
  for (const { name, module, args = [] } of EXTRA_PROGRAMS.filter((program) => names.includes(program.name))) {
    context.setName(name);
    context.log(`node ${[module, ...args].join(" ")}`);
    // A process group of its own, so that ending it ends what it has started; its temporary files are removed with the folder of the run.
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", join(ROOT, module), ...args], {
      cwd: ROOT,
      stdio: "inherit",
      detached: true,
      env: { ...process.env, TMPDIR: context.folder },
    });
    const exited = once(child, "exit") as Promise<[number | null]>;
    context.onEnd(() => endGroup(child));
    const [code] = await exited;
    if (code !== 0) process.exitCode = 1;
  }
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGTERM");
}

/** Ends everything that runs, then the process. */
function closeOnSignal(context: RunningContext): void {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)
    process.once(signal, () => {
      console.log(`\n${signal}: cleaning up …`);
      void context.close().finally(() => process.exit(code));
    });
}

async function measure({ names, keep, quick }: BenchArguments): Promise<void> {
  const rows = names.length === 0 ? ROWS : [...ROWS, ...EXTRA_BENCHMARKS].filter(({ name }) => names.includes(name));
  const machine = describeMachine();
  const context = createContext({ isQuick: quick, keep });
  closeOnSignal(context);
  console.log(formatMachine(machine));
  try {
    await runPrograms(names, context);
    if (rows.length === 0) return;
    const measured = await runRows(rows, context);
    const command = ["npm run bench", ...(process.argv.length > 2 ? ["--", ...process.argv.slice(2)] : [])].join(" ");
    const run: Run = { machine, command, seconds: context.elapsedSeconds(), isQuick: quick, ...measured };
    mkdirSync(RESULTS_FOLDER, { recursive: true });
    const file = join(RESULTS_FOLDER, `${machine.date.replaceAll(":", "-").slice(0, 19)}.json`);
    writeFileSync(file, JSON.stringify(run, null, 2));
    console.log(`\n${formatTable(run.results)}\n\n${Math.round(run.seconds)} s in all; every round is in ${relative(ROOT, file)}`);
    if (quick) console.log("This was a quick run with little data: the numbers say nothing about speed.");
    const failed = Object.entries(measured.failures);
    if (failed.length > 0) console.error(`\n${failed.map(([name, message]) => `${name} failed: ${message}`).join("\n")}`);
    if (failed.length > 0) process.exitCode = 1;
  } finally {
    await context.close();
  }
}

async function main(): Promise<void> {
  const parsed = parseArguments(process.argv.slice(2), KNOWN);
  if (parsed.shows === "list") return console.log(list());
  if (parsed.shows === "markdown") return printMarkdown();
  await measure(parsed);
}

main().then(
  // Sockets that are still closing must not keep the process.
  () => process.exit(),
  (error: unknown) => {
    console.error((error as Error).message);
    process.exit(1);
  },
);
