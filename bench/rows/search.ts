/** Search across everything and facets, while somebody else makes light requests. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseSearchTerms } from "../../contract/search-tokens.ts";
import { HIDDEN_WORD } from "../data/insert-organization.ts";
import type { Benchmark, Line } from "../lib/benchmark.ts";
import type { LoadCalls, LoadRequest } from "../lib/load-process.ts";
import { JSON_BODY } from "../lib/reads.ts";
import { median, percentile } from "../lib/statistics.ts";

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
/** Requests of each query by each person in a round. */
const TIMES = 3;
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
    const bare = createBareSearch(folder);
    const startProbe = () => probe.call("startProbe", { base: service.base, request: light, intervalMs: PROBE_INTERVAL_MS });
    await startProbe();
    await new Promise((resolve) => setTimeout(resolve, context.seconds(2) * 1_000));
    const idle = await probe.call("endProbe", undefined);
    await startProbe();
    const times = context.isQuick ? 1 : TIMES;
    const sequence = (requests: LoadRequest[], count = times) => load.call("sequence", { base: service.base, requests, times: count, warmUps: 1 });
    const slowest = QUERIES.map((): number[] => []);
    const facetsRequest = { method: "GET" as const, path: `/api/v2/projects/${library.project}/file-facets`, headers: ana.headers };
    const messageRequest = {
      method: "POST" as const,
      path: "/v1/account/projects/chat_message",
      headers: { ...ana.headers, ...JSON_BODY },
      body: JSON.stringify({ project_id: library.project, body: "{n}" }),
    };
    const measured = await context.inTurn(context.rounds(3), {
      "index alone": async () => QUERIES.map(([, query]) => Math.min(bare.search(query), bare.search(query))),
      search: async () => {
        const durations: number[] = [];
        for (const { headers } of searchers) {
          const results = await sequence(QUERIES.map(([, query]) => ({ method: "GET", path: `/api/v2/search?${query}`, headers })));
          for (const [index, list] of results.entries()) slowest[index]!.push(...list);
          durations.push(...results.flat());
        }
        return durations;
      },
      // A message in the project's chat comes before each, because they are kept until something happens in the project.
      facets: async () => {
        const durations: number[] = [];
        for (let time = 0; time < times * 6; time += 1) {
          await sequence([messageRequest], 1);
          durations.push(...(await load.call("sequence", { base: service.base, requests: [facetsRequest], times: 1, warmUps: 0 })).flat());
        }
        return durations;
      },
    });
    const beside = await probe.call("endProbe", undefined);
    await probe.stop();
    bare.close();
    const shareOf = (rounds: readonly number[][], share: number) => rounds.map((durations) => percentile(durations, share));
    const ranked = QUERIES.map(([label], index) => ({ label, p95: percentile(slowest[index]!, 0.95) })).toSorted((left, right) => right.p95 - left.p95);
    const limit = { of: "value" as const, better: "lower" as const, must: LIMIT_MS };
    const lines: Line[] = [
      {
        work: `search, p95 of ${QUERIES.length} queries by ${searchers.length} people`,
        unit: "ms",
        values: shareOf(measured.search, 0.95),
        yardstick: { name: "index of messages alone, without rights", values: shareOf(measured["index alone"], 0.95) },
        goal: limit,
        note: `slowest: ${ranked[0]!.label}, ${ranked[0]!.p95.toFixed(0)} ms`,
      },
      {
        work: "the same, p50",
        unit: "ms",
        values: shareOf(measured.search, 0.5),
        yardstick: { name: "index of messages alone, without rights", values: shareOf(measured["index alone"], 0.5) },
      },
      {
        work: "facets of the library after a change, p95",
        unit: "ms",
        values: shareOf(measured.facets, 0.95),
        goal: limit,
        note: `p50 ${median(shareOf(measured.facets, 0.5)).toFixed(1)} ms`,
      },
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
