/**
 * Benchmarks the search across all projects, one request after the other, beside a search of the messages' index alone without permissions, for people who
 * see all projects and few.
 * `node bench/search/service.ts [messages] [files] [requests]`, as in `node bench/search/service.ts 1000000 100000 30`, on SQLite.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseSearchTerms } from "../../contract/search-tokens.ts";
import { createOwner, startService } from "../../server/testing/service-process.ts";
import { percentile } from "../lib/statistics.ts";
import { PROJECTS, seedOrganization } from "./seed.ts";

const MESSAGES = Number(process.argv[2] ?? 1_000_000);
const FILES = Number(process.argv[3] ?? 100_000);
const REQUESTS = Number(process.argv[4] ?? 30);
/** Projects that the members see. */
const PROJECT_COUNTS = [20, 200];

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
  ["near one project", "q=bass+snare&near_project_id=1"],
];

interface Times {
  p50: number;
  p95: number;
}
const summarize = (times: readonly number[]): Times => ({ p50: percentile(times, 0.5), p95: percentile(times, 0.95) });
const format = ({ p50, p95 }: Times) => `${p50.toFixed(1)} / ${p95.toFixed(1)}`;

async function measure(run: () => unknown): Promise<Times> {
  const times: number[] = [];
  for (let request = 0; request < REQUESTS + 3; request += 1) {
    const startedAt = performance.now();
    await run();
    // The first ones load pages and prepare statements.
    if (request >= 3) times.push(performance.now() - startedAt);
  }
  return summarize(times);
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
  const tokens = await seedOrganization(folder, { messages: MESSAGES, files: FILES }, PROJECT_COUNTS);
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
  const columns = ["messages alone", `owner, ${PROJECTS} projects`, ...PROJECT_COUNTS.map((count) => `member of ${count}`)];
  const search = async (query: string, headers: Headers) => {
    const response = await fetch(`${service.base}/api/v2/search?${query}`, { headers });
    if (response.status !== 200) throw new Error(`${query}: ${response.status} ${await response.text()}`);
    await response.text();
  };
  try {
    console.log(`p50 / p95 in ms of ${REQUESTS} requests; load ${loadavg()[0]?.toFixed(1)}`);
    console.log(["".padEnd(42), ...columns.map((cell) => cell.padStart(20))].join(" "));
    for (const [label, query] of QUERIES) {
      const cells = [format(await measure(() => searchSingleTable(query)))];
      for (const headers of callers) cells.push(format(await measure(() => search(query, headers))));
      console.log([label.padEnd(42), ...cells.map((cell) => cell.padStart(20))].join(" "));
    }
  } finally {
    await service.kill();
    if (givenFolder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

await main();
