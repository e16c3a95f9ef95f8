/**
 * Benchmarks chat history as it grows, search, and durable sending, over HTTP with 10 connections; history and sending
 * against a baseline.
 * `node bench/chat/service.ts [sizes] [seconds]`, as in `node bench/chat/service.ts 1000,100000,1000000 5`, on SQLite.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runCli, createOwner, startService } from "../../server/testing/service-process.ts";
import { writeGeneratedChat } from "./generated-chat.ts";
import { measureLoad, startConstantServer, type LoadRequest, type LoadResult } from "../lib/load.ts";

const SIZES = (process.argv[2] ?? "1000,100000,1000000").split(",").map(Number);
const SECONDS = Number(process.argv[3] ?? 5);
const CONNECTIONS = 10;
const RUNS = 3;

/** Search queries, from cheap ones to those that would read the most without narrowing. */
const searches = (author: number): [string, string][] => [
  ["a rare word, far back", "q=glockenspiel%20"],
  ["a word that is not there", "q=kontrabassklarinette%20"],
  ["two common words", "q=bass+snare"],
  ["the beginning of a word", "q=b"],
  ["a common word of one author", `q=bass&account_id=${author}`],
  ["one author's links", `account_id=${author}&has=link`],
  ["a day, years back", "since=2023-03-14T00:00:00Z&until=2023-03-15T00:00:00Z"],
  ["before a day, years back", "until=2023-03-15T00:00:00Z"],
  ["a word before a day, years back", "q=bass&until=2023-03-15T00:00:00Z"],
  ["three years without the newest", "since=2022-06-01T00:00:00Z&until=2025-06-01T00:00:00Z"],
];

const rows: string[][] = [];
const addRow = (label: string, result: LoadResult | number, baseline: number | null, baselineName = "") => {
  const perSecond = typeof result === "number" ? result : result.perSecond;
  const times = typeof result === "number" ? ["", ""] : [result.p50.toFixed(1), result.p99.toFixed(1)];
  rows.push([label, Math.round(perSecond).toLocaleString("en"), ...times, baseline === null ? "" : `${(perSecond / baseline).toFixed(2)} x ${baselineName}`]);
};

/** Creates a project with `size` messages and returns its id. */
async function createProject(folder: string, size: number): Promise<number> {
  const database = new DatabaseSync(join(folder, "talkback.db"), { timeout: 5_000 });
  const inserted = database
    .prepare("insert into projects (team_id, name, description, created_at, created_by) select id, ?, '', 0, 1 from teams returning id")
    .get(`Chat of ${size}`) as {
    id: number;
  };
  database.close();
  const file = join(folder, "chat.jsonl");
  await writeGeneratedChat(file, size, ["Ana", "Ben", "Cleo", "Dan"]);
  const [line = ""] = (await runCli(folder, {}, "import-chat", "--project", String(inserted.id), "--file", file, "--author", "owner")).split("\n");
  console.log(line);
  rmSync(file);
  return inserted.id;
}

/** Returns the rows per second that the bare engine writes durably, one per transaction. */
function measureBareInserts(folder: string): number {
  const database = new DatabaseSync(join(folder, "bare.db"));
  database.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; create table bare (id integer primary key autoincrement, body text, at bigint)");
  const insert = database.prepare("insert into bare (body, at) values (?, ?)");
  const [startedAt, end] = [performance.now(), performance.now() + SECONDS * 1_000];
  let count = 0;
  for (; performance.now() < end; count += 1) insert.run(`message ${count}`, count);
  const perSecond = count / ((performance.now() - startedAt) / 1_000);
  database.close();
  return perSecond;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "talkback-bench-"));
  const owner = await createOwner(folder);
  const projects = new Map<number, number>();
  for (const size of SIZES) projects.set(size, await createProject(folder, size));
  const service = await startService(folder);
  const headers = { ...owner.headers, "content-type": "application/json" };
  const history = (body: object): LoadRequest => ({
    method: "POST",
    path: "/v1/account/projects/chat_history",
    headers,
    body: () => JSON.stringify({ limit: 50, ...body }),
  });
  /** Returns the median of three runs by throughput. */
  const measureMedian = async (request: LoadRequest): Promise<LoadResult> => {
    const loads: LoadResult[] = [];
    for (let run = 0; run < RUNS; run += 1) loads.push(await measureLoad(service.base, request, { connections: CONNECTIONS, seconds: SECONDS }));
    return loads.toSorted((left, right) => left.perSecond - right.perSecond)[Math.floor(RUNS / 2)] as LoadResult;
  };
  try {
    const firstPage = await fetch(`${service.base}/v1/account/projects/chat_history`, {
      method: "POST",
      headers,
      body: JSON.stringify({ project_id: projects.get(SIZES.at(-1) ?? 0), limit: 50 }),
    });
    const constantServer = await startConstantServer(folder, await firstPage.text());
    const baseline = await measureLoad(constantServer.base, { ...history({}), path: "/constant" }, { connections: CONNECTIONS, seconds: SECONDS });
    constantServer.stop();
    addRow("Fastify route of the same bytes", baseline, null);
    const smallest: { newest?: number; middle?: number } = {};
    for (const [size, id] of projects) {
      const newest = await measureMedian(history({ project_id: id }));
      smallest.newest ??= newest.perSecond;
      addRow(`history of ${size.toLocaleString("en")}, newest page`, newest, baseline.perSecond, "route");
      addRow(`history of ${size.toLocaleString("en")}, newest page`, newest, smallest.newest, "smallest");
      const middle = (await (
        await fetch(`${service.base}/v1/account/projects/chat_history`, { method: "POST", headers, body: JSON.stringify({ project_id: id, limit: 1 }) })
      ).json()) as { data: { id: number; account_id: number }[] };
      const middlePage = await measureMedian(history({ project_id: id, before_id: (middle.data[0]?.id ?? 0) - Math.floor(size / 2) }));
      smallest.middle ??= middlePage.perSecond;
      addRow(`history of ${size.toLocaleString("en")}, a page in the middle`, middlePage, smallest.middle, "smallest");
      const search = (query: string): LoadRequest => ({ method: "GET", path: `/api/v2/projects/${id}/messages?${query}`, headers, body: () => "" });
      for (const [label, query] of searches(middle.data[0]?.account_id ?? 0))
        addRow(`search in ${size.toLocaleString("en")}: ${label}`, await measureMedian(search(query)), null);
    }
    const bareInsertsPerSecond = measureBareInserts(folder);
    addRow("bare durable inserts", bareInsertsPerSecond, null);
    let count = 0;
    const sendResult = await measureMedian({
      method: "POST",
      path: "/v1/account/projects/chat_message",
      headers,
      body: () => JSON.stringify({ project_id: projects.get(SIZES[0] ?? 0), body: `bench ${++count}`, client_id: `bench-message-${count}` }),
    });
    addRow("messages sent, each acknowledged after its commit", sendResult, bareInsertsPerSecond, "bare");
    const headings = ["", "a second", "p50 ms", "p99 ms", "vs. baseline"];
    const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)));
    for (const row of [headings, ...rows])
      console.log(row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join("  "));
  } finally {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
