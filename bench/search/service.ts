/**
 * Benchmarks the search across all projects, one request after the other, beside a search of the messages' index alone without permissions, for people who
 * see all projects and few.
 * `node bench/search/service.ts [messages] [files] [requests]`, as in `node bench/search/service.ts 1000000 100000 30`, on SQLite.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseSearchTerms } from "../../contract/search-tokens.ts";
import { createOwner, startService } from "../../server/testing/service-process.ts";
import { percentile } from "../lib/statistics.ts";
import { HIDDEN_WORD, type Member, PROJECTS, seedOrganization } from "./seed.ts";

const MESSAGES = Number(process.argv[2] ?? 1_000_000);
const FILES = Number(process.argv[3] ?? 100_000);
const REQUESTS = Number(process.argv[4] ?? 30);
const MEMBERS: readonly Member[] = [
  { role: "guest", projects: 3 },
  { role: "member", projects: 20 },
  { role: "member", projects: 150 },
  { role: "member", projects: 500 },
];

/** From what people type to what would read the most. */
const QUERIES: [label: string, query: string][] = [
  ["a rare word", "q=glockenspiel%20"],
  ["a word that is not there", "q=kontrabassklarinette%20"],
  ["two common words", "q=bass+snare"],
  ["six common words", "q=bass+snare+kick+vocal+mix+master"],
  ["a common word and one that is not there", "q=bass+kontrabass%20"],
  ["one letter", "q=b"],
  ["three letters", "q=bas"],
  ["five letters", "q=maste"],
  ["tempo, key and status", "q=118+bpm+f%23m+approved&kind=file"],
  ["a file by its number", "q=kick+77777"],
  ["a month, years ago", "q=bass&since=2023-03-01T00:00:00Z&until=2023-04-01T00:00:00Z"],
  ["before a day, years ago", "q=bass+snare&until=2023-03-15T00:00:00Z"],
  ["one person", "q=bass&account_id=5"],
  ["in one project", "q=bass+snare&project_id=1"],
  ["a common word of projects not seen", `q=${HIDDEN_WORD}%20`],
  ["that and a common word", `q=${HIDDEN_WORD}+bass%20`],
  ["the beginning of that word", `q=${HIDDEN_WORD.slice(0, 4)}`],
  ["near one project", "q=bass+snare&near_project_id=1"],
];

/** Requests before those that count, which load pages and prepare statements. */
const WARM_UP_REQUESTS = 3;

/** Returns "p50 / p95 (CPU)" in milliseconds; the computing time per request does not depend on what else the machine does. */
async function measure(run: () => unknown, readCpu: () => number): Promise<string> {
  const times: number[] = [];
  for (let request = 0; request < WARM_UP_REQUESTS; request += 1) await run();
  const cpuBefore = readCpu();
  for (let request = 0; request < REQUESTS; request += 1) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  const cpu = (readCpu() - cpuBefore) / REQUESTS;
  return `${percentile(times, 0.5).toFixed(1)} / ${percentile(times, 0.95).toFixed(1)} (${cpu.toFixed(1)})`;
}

/** Returns the milliseconds for which all threads of a process have run; Linux only. */
function readProcessCpu(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`).map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]));
  return tasks.reduce((sum, nanoseconds) => sum + nanoseconds / 1e6, 0);
}

/** Searches the index of messages alone, as a program with one table would. */
function createSingleTableSearch(folder: string): (query: string) => unknown {
  const database = new DatabaseSync(join(folder, "talkback.db"), { readOnly: true });
  database.exec("PRAGMA cache_size=-32000");
  const statement = database.prepare(`select messages.id, messages.body from message_search cross join messages on messages.id = message_search.rowid
    where message_search match ? order by message_search.rowid desc limit 11`);
  return (query) => {
    const terms = parseSearchTerms(new URLSearchParams(query).get("q") ?? "");
    return statement.all(terms.map(({ token, isPrefix }) => (isPrefix ? `"${token}" *` : `"${token}"`)).join(" AND "));
  };
}

type Headers = Record<string, string>;

/** Returns the headers of the owner and of the members. `BENCH_FOLDER` keeps the data for the next run, because seeding takes minutes. */
async function seed(folder: string): Promise<Headers[]> {
  const seededFile = join(folder, "seeded.json");
  if (existsSync(seededFile)) return JSON.parse(readFileSync(seededFile, "utf8")) as Headers[];
  const owner = await createOwner(folder);
  const startedAt = performance.now();
  const tokens = await seedOrganization(folder, { messages: MESSAGES, files: FILES }, MEMBERS);
  console.log(`seeded in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  const headers = [owner.headers, ...tokens.map((token) => ({ authorization: `Bearer ${token}` }))];
  writeFileSync(seededFile, JSON.stringify(headers));
  return headers;
}

async function main(): Promise<void> {
  const givenFolder = process.env["BENCH_FOLDER"];
  const folder = givenFolder ?? mkdtempSync(join(tmpdir(), "talkback-bench-"));
  mkdirSync(folder, { recursive: true });
  const callers = await seed(folder);
  const service = await startService(folder);
  const searchSingleTable = createSingleTableSearch(folder);
  const columns = ["messages alone", `owner, ${PROJECTS} projects`, ...MEMBERS.map(({ role, projects }) => `${role} of ${projects}`)];
  const search = async (query: string, headers: Headers) => {
    const response = await fetch(`${service.base}/api/v2/search?${query}`, { headers });
    if (response.status !== 200) throw new Error(`${query}: ${response.status} ${await response.text()}`);
    await response.text();
  };
  try {
    console.log(`p50 / p95 (CPU) in ms of ${REQUESTS} requests; load ${loadavg()[0]?.toFixed(1)}`);
    console.log(["".padEnd(42), ...columns.map((cell) => cell.padStart(22))].join(" "));
    for (const [label, query] of QUERIES) {
      const cells = [
        await measure(
          () => searchSingleTable(query),
          () => readProcessCpu(process.pid),
        ),
      ];
      for (const headers of callers)
        cells.push(
          await measure(
            () => search(query, headers),
            () => readProcessCpu(service.child.pid!),
          ),
        );
      console.log([label.padEnd(42), ...cells.map((cell) => cell.padStart(22))].join(" "));
    }
  } finally {
    await service.kill();
    if (givenFolder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

await main();
