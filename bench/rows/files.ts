/** Pages of the files view. */
import type { Benchmark, Line } from "../lib/benchmark.ts";
import { measureRead } from "../lib/reads.ts";

/** Orders and filters that must not cost more than the page of a small folder. */
const FURTHER = [
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
    const run = (request: typeof small) => async () => (await load.call("load", { base: service.base, request, seconds: context.seconds(0.6) })).perSecond;
    const steps = Object.fromEntries([
      ["small", run(small)],
      ...FURTHER.map(([label, query]) => [label, run(list(query.replace("FULL", String(library.fullFolder))))]),
    ]) as Record<string, () => Promise<number>>;
    const measured = await context.inTurn(context.rounds(2), steps);
    const further = FURTHER.map(([label]): Line => ({
      work: label,
      unit: "/s",
      values: measured[label]!,
      yardstick: { name: "folder of 100", values: measured["small"]! },
    }));
    return [page, ...further];
  },
};
