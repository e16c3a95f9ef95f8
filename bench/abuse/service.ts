/**
 * Attacks a service in ways that a guest or a stranger could, each bounded in time and count, while others make a cheap request every 20 ms from another
 * address. Prints their latency before, during and after each attack, the service's memory, and the outcomes of the attack's requests.
 * `npm run bench -- abuse`, or `node bench/abuse/service.ts [seconds] [files] [attacks]`, as in `node bench/abuse/service.ts 10 20000 history,facets`, on SQLite.
 */
import { ATTACKS } from "./all-attacks.ts";
import { type Latency, measureAttack, type Phase } from "./measure.ts";
import { startTarget } from "./target.ts";

const SECONDS = Number(process.argv[2] ?? 10);
const FILES = Number(process.argv[3] ?? 20_000);
const NAMES = process.argv[4]?.split(",") ?? ATTACKS.map(({ name }) => name);

const timesOf = ({ p50, p95, max }: Latency): string => [p50, p95, max].map((ms) => ms.toFixed(0)).join(" / ");
const times = ({ reads, writes }: Phase): string => `${timesOf(reads)}; ${timesOf(writes)}`;
const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, times_]) => `${times_} × ${name}`)
    .join(", ");

async function main(): Promise<void> {
  console.log("| attack | before: reads; writes, p50 / p95 / max ms | during | after | failed | memory MB: before, most, after | outcomes |");
  console.log("| --- | --- | --- | --- | --- | --- | --- |");
  for (const attack of ATTACKS.filter(({ name }) => NAMES.includes(name))) {
    // Each attack meets a new service, so that none suffers from the one before.
    const target = await startTarget({ files: FILES, folders: 9_000, messages: 400 }, attack.settings);
    try {
      const { before, during, after, memory, outcomes } = await measureAttack(attack, target, { seconds: SECONDS, restSeconds: 3, scale: 1 });
      const cells = [
        attack.title,
        times(before),
        times(during),
        times(after),
        counted(during.failures) || "0",
        `${memory.before}, ${memory.during}, ${memory.after}`,
        counted(outcomes),
      ];
      console.log(`| ${cells.join(" | ")} |`);
      const problem = attack.findProblem?.(outcomes);
      if (problem) console.log(`  ${attack.name}: ${problem}`);
    } finally {
      await target.close();
    }
  }
}

await main();
