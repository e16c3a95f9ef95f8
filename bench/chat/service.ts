/**
 * History of a chat as it grows, search in it, and durable sending, over HTTP with 10 connections, each beside its yardstick.
 * `node bench/chat/service.ts [sizes] [seconds]`, as in `node bench/chat/service.ts 1000,100000,1000000 5`; on SQLite.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { command, furnish, startService } from "../../server/testing/service.ts";
import { writeBelievableChat } from "./believable.ts";
import { measure, type Ask, type Load } from "./load.ts";

const SIZES = (process.argv[2] ?? "1000,100000,1000000").split(",").map(Number);
const SECONDS = Number(process.argv[3] ?? 5);
const CONNECTIONS = 10;
const RUNS = 3;

/** What is asked for, from what answers at once to what would read the most if it were not narrowed. */
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
const say = (what: string, load: Load | number, yardstick: number | null, beside = "") => {
  const perSecond = typeof load === "number" ? load : load.perSecond;
  const times = typeof load === "number" ? ["", ""] : [load.p50.toFixed(1), load.p99.toFixed(1)];
  rows.push([what, Math.round(perSecond).toLocaleString("en"), ...times, yardstick === null ? "" : `${(perSecond / yardstick).toFixed(2)} x ${beside}`]);
};

/** A project with so many messages; answers its number. */
async function project(folder: string, size: number): Promise<number> {
  const database = new DatabaseSync(join(folder, "talkback.db"), { timeout: 5_000 });
  const made = database
    .prepare("insert into projects (team_id, name, description, created_at, created_by) select id, ?, '', 0, 1 from teams returning id")
    .get(`Chat of ${size}`) as {
    id: number;
  };
  database.close();
  const file = join(folder, "chat.jsonl");
  await writeBelievableChat(file, size, ["Ana", "Ben", "Cleo", "Dan"]);
  const [line = ""] = (await command(folder, {}, "import-chat", "--project", String(made.id), "--file", file, "--author", "owner")).split("\n");
  console.log(line);
  rmSync(file);
  return made.id;
}

async function constantPort(folder: string, bytes: string): Promise<{ base: string; end(): void }> {
  const file = join(folder, "page.json");
  writeFileSync(file, bytes);
  const child = spawn(process.execPath, ["bench/chat/constant.ts", file], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return { base: `http://127.0.0.1:${port.toString().trim()}`, end: () => void child.kill() };
}

/** Rows a second that the bare engine writes durably, one a transaction. */
function bareInserts(folder: string): number {
  const database = new DatabaseSync(join(folder, "bare.db"));
  database.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; create table bare (id integer primary key autoincrement, body text, at bigint)");
  const insert = database.prepare("insert into bare (body, at) values (?, ?)");
  const [since, end] = [performance.now(), performance.now() + SECONDS * 1_000];
  let count = 0;
  for (; performance.now() < end; count += 1) insert.run(`message ${count}`, count);
  const perSecond = count / ((performance.now() - since) / 1_000);
  database.close();
  return perSecond;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "talkback-bench-"));
  const owner = await furnish(folder);
  const projects = new Map<number, number>();
  for (const size of SIZES) projects.set(size, await project(folder, size));
  const service = await startService(folder);
  const headers = { ...owner.headers, "content-type": "application/json" };
  const history = (body: object): Ask => ({
    method: "POST",
    path: "/v1/account/projects/chat_history",
    headers,
    body: () => JSON.stringify({ limit: 50, ...body }),
  });
  /** The median of three, by how often it answered. */
  const load = async (ask: Ask): Promise<Load> => {
    const loads: Load[] = [];
    for (let run = 0; run < RUNS; run += 1) loads.push(await measure(service.base, ask, { connections: CONNECTIONS, seconds: SECONDS }));
    return loads.toSorted((left, right) => left.perSecond - right.perSecond)[Math.floor(RUNS / 2)] as Load;
  };
  try {
    const first = await fetch(`${service.base}/v1/account/projects/chat_history`, {
      method: "POST",
      headers,
      body: JSON.stringify({ project_id: projects.get(SIZES.at(-1) ?? 0), limit: 50 }),
    });
    const constant = await constantPort(folder, await first.text());
    const yardstick = await measure(constant.base, { ...history({}), path: "/constant" }, { connections: CONNECTIONS, seconds: SECONDS });
    constant.end();
    say("Fastify route of the same bytes", yardstick, null);
    const smallest: { newest?: number; middle?: number } = {};
    for (const [size, id] of projects) {
      const newest = await load(history({ project_id: id }));
      smallest.newest ??= newest.perSecond;
      say(`history of ${size.toLocaleString("en")}, newest page`, newest, yardstick.perSecond, "route");
      say(`history of ${size.toLocaleString("en")}, newest page`, newest, smallest.newest, "smallest");
      const middle = (await (
        await fetch(`${service.base}/v1/account/projects/chat_history`, { method: "POST", headers, body: JSON.stringify({ project_id: id, limit: 1 }) })
      ).json()) as { data: { id: number; account_id: number }[] };
      const around = await load(history({ project_id: id, before_id: (middle.data[0]?.id ?? 0) - Math.floor(size / 2) }));
      smallest.middle ??= around.perSecond;
      say(`history of ${size.toLocaleString("en")}, a page in the middle`, around, smallest.middle, "smallest");
      const search = (query: string): Ask => ({ method: "GET", path: `/api/v2/projects/${id}/messages?${query}`, headers, body: () => "" });
      for (const [what, query] of searches(middle.data[0]?.account_id ?? 0))
        say(`search in ${size.toLocaleString("en")}: ${what}`, await load(search(query)), null);
    }
    const bare = bareInserts(folder);
    say("bare durable inserts", bare, null);
    let count = 0;
    const sent = await load({
      method: "POST",
      path: "/v1/account/projects/chat_message",
      headers,
      body: () => JSON.stringify({ project_id: projects.get(SIZES[0] ?? 0), body: `bench ${++count}`, client_id: `bench-message-${count}` }),
    });
    say("messages sent, each acknowledged after its commit", sent, bare, "bare");
    const heads = ["", "a second", "p50 ms", "p99 ms", "beside"];
    const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
    for (const row of [heads, ...rows])
      console.log(row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join("  "));
  } finally {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
