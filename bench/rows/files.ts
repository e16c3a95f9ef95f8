/** Pages of the files view. */
import type { Benchmark, Line } from "../lib/benchmark.ts";
import type { LoadRequest } from "../lib/load-process.ts";
import { measureRead } from "../lib/reads.ts";

/** Orders and filters that must not cost more than the page of a small folder. The end of time differs in each request, so that each page is built anew. */
const ANEW = "to=2100-01-01T00:00:00.{spread}Z";
const MILLISECONDS = { from: 100, count: 900 };
const FURTHER = [
  ["folder of 100, each page built anew", "folder_id=SMALL"],
  ["folder of 10,000, by size, descending", "folder_id=FULL&sort=size&order=desc"],
  ["all files, by name", "deep=true"],
  ["all files, A minor at 120 to 128 bpm", "deep=true&sort=bpm&bpm_min=120&bpm_max=128&key=A%20minor"],
  ["all files, a name that one file has", "deep=true&q=bounce%204999"],
] as const;

export const files: Benchmark = {
  name: "files",
  title: "a page of 100 files, against a constant route; orders and filters over 100,000 files, against that page",
  async run(context) {
    const [{ ana, library }, service, load] = [await context.data(), await context.service(), await context.load()];
    const list = (query: string) => ({ method: "GET" as const, path: `/api/v2/projects/${library.project}/files?${query}`, headers: ana.headers });
    const small = list(`folder_id=${library.smallFolder}`);
    const page = await measureRead(context, "page of 100 files", small, { of: "ratio", better: "higher", must: 0.4 });
    const run = (request: LoadRequest) => async () => (await load.call("load", { base: service.base, request, seconds: context.seconds(0.6) })).perSecond;
    const steps = Object.fromEntries(
      FURTHER.map(([label, query]) => {
        const folders = query.replace("FULL", String(library.fullFolder)).replace("SMALL", String(library.smallFolder));
        return [label, run({ ...list(`${folders}&${ANEW}`), spread: MILLISECONDS })];
      }),
    ) as Record<string, () => Promise<number>>;
    const measured = await context.inTurn(context.rounds(2), steps);
    const further = FURTHER.slice(1).map(([label]): Line => ({
      work: label,
      unit: "/s",
      values: measured[label]!,
      yardstick: { name: "folder of 100, built anew too", values: measured[FURTHER[0][0]]! },
    }));
    return [page, ...further];
  },
};
