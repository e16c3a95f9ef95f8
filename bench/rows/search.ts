/** Search across everything and facets, while somebody else makes light requests. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseSearchTerms } from "../../contract/search-tokens.ts";
import { HIDDEN_WORD } from "../data/insert-organization.ts";
import type { Benchmark, Line } from "../lib/benchmark.ts";
import type { LoadCalls } from "../lib/load-process.ts";
import { percentile } from "../lib/statistics.ts";

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
  ["tempo, key and status of files", "q=118+bpm+f%23m+approved&kind=file"],
  ["a file by its number", "q=bounce+77777"],
  ["a common word in a month, years ago", "q=bass&since=2023-03-01T00:00:00Z&until=2023-04-01T00:00:00Z"],
  ["two common words before a day, years ago", "q=bass+snare&until=2023-03-15T00:00:00Z"],
  ["a common word of one person", "q=bass&account_id=5"],
  ["two common words in one project", "q=bass+snare&project_id=1"],
  ["a common word of projects not seen", `q=${HIDDEN_WORD}%20`],
  ["that word and a common one", `q=${HIDDEN_WORD}+bass%20`],
  ["the beginning of that word", `q=${HIDDEN_WORD.slice(0, 4)}`],
  ["two common words, one project first", "q=bass+snare&near_project_id=1"],
];
const LIMIT_MS = 50;
const PROBE_INTERVAL_MS = 20;

/** Searches the index of messages alone, without permissions, as a program with one table would. Returns the milliseconds. */
function createBareSearch(folder: string): { search(query: string): number; close(): void } {
  const database = new DatabaseSync(join(folder, "talkback.db"), { readOnly: true });
  database.exec("PRAGMA cache_size=-32000");
  const statement = database.prepare(`select messages.id, messages.body from message_search cross join messages on messages.id = message_search.rowid
    where message_search match ? order by message_search.rowid desc limit 11`);
  return {
    search(query) {
      const terms = parseSearchTerms(new URLSearchParams(query).get("q") ?? "");
      const startedAt = performance.now();
      statement.all(terms.map(({ token, isPrefix }) => (isPrefix ? `"${token}" *` : `"${token}"`)).join(" AND "));
      return performance.now() - startedAt;
    },
    close: () => database.close(),
  };
}

export const search: Benchmark = {
  name: "search",
  title: "search of 1,500,000 messages and 120,000 files and facets of 100,000, p95, with light requests of another person beside them",
  async run(context) {
    const [{ folder, searchers, ana, library, chats }, service, load] = [await context.data(), await context.service(), await context.load()];
    const probe = await context.helper<LoadCalls>(new URL("../lib/load-process.ts", import.meta.url));
    const light = { method: "GET" as const, path: `/api/v2/projects/${chats.small.project}/read`, headers: ana.headers };
    const times = context.isQuick ? 2 : 8;
    const bare = createBareSearch(folder);
    const before = async () => {
      await probe.call("startProbe", { base: service.base, request: light, intervalMs: PROBE_INTERVAL_MS });
      await new Promise((resolve) => setTimeout(resolve, context.seconds(2) * 1_000));
      return probe.call("endProbe", undefined);
    };
    const idle = await before();
    await probe.call("startProbe", { base: service.base, request: light, intervalMs: PROBE_INTERVAL_MS });
    const slowest = new Map<string, number[]>();
    const [all, bareTimes]: [number[], number[]] = [[], []];
    for (const { label, headers } of searchers) {
      context.log(`${QUERIES.length} searches, ${times} times, as ${label}`);
      const requests = QUERIES.map(([, query]) => ({ method: "GET" as const, path: `/api/v2/search?${query}`, headers }));
      const latencies = await load.call("sequence", { base: service.base, requests, times, warmUps: 2 });
      for (const [index, { p50, p95 }] of latencies.entries()) {
        const name = QUERIES[index]![0];
        slowest.set(name, [...(slowest.get(name) ?? []), p95]);
        all.push(p50);
      }
      for (const [, query] of QUERIES) bareTimes.push(Math.min(bare.search(query), bare.search(query)));
    }
    context.log("facets");
    const [facets] = await load.call("sequence", {
      base: service.base,
      requests: [{ method: "GET", path: `/api/v2/projects/${library.project}/file-facets`, headers: ana.headers }],
      times: times * 4,
      warmUps: 2,
    });
    const beside = await probe.call("endProbe", undefined);
    await probe.stop();
    bare.close();
    const [worst, worstTimes] = [...slowest].toSorted(([, left], [, right]) => Math.max(...right) - Math.max(...left))[0]!;
    const p95s = [...slowest.values()].flat();
    const limit = { of: "value" as const, better: "lower" as const, must: LIMIT_MS };
    const lines: Line[] = [
      {
        work: `search, p95 of all ${QUERIES.length} queries by ${searchers.length} people`,
        unit: "ms",
        values: [percentile(p95s, 0.95)],
        goal: limit,
        note: `slowest: ${worst}, ${Math.max(...worstTimes).toFixed(0)} ms`,
      },
      { work: "search, p50", unit: "ms", values: all, yardstick: { name: "index of messages alone, one statement", values: bareTimes } },
      { work: "facets of the library, p95", unit: "ms", values: [facets!.p95], goal: limit, note: `p50 ${facets!.p50.toFixed(1)} ms` },
      {
        work: "light request of another person meanwhile, p95",
        unit: "ms",
        values: [beside.p95],
        yardstick: { name: "before", values: [idle.p95] },
        note: `longest ${beside.max.toFixed(0)} ms`,
      },
    ];
    return lines;
  },
};
