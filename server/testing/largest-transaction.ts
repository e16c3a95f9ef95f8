/** Measures how much the transactions of background work change, so that tests show that other writes get in between. */
import { vi } from "vitest";
import type { Database } from "../db/database.ts";

/** Runs `work` and returns by how much one of its background transactions changed each count at most. */
export async function largestTransaction(
  database: Database,
  counts: Record<string, () => Promise<number>>,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const readCounts = async () => Promise.all(Object.values(counts).map((count) => count()));
  const largest = Object.keys(counts).map(() => 0);
  const { backgroundWrite } = database;
  const spy = vi.spyOn(database, "backgroundWrite").mockImplementation(async (run) => {
    const before = await readCounts();
    const result = await backgroundWrite.call(database, run);
    for (const [index, after] of (await readCounts()).entries()) largest[index] = Math.max(largest[index] ?? 0, Math.abs(after - (before[index] ?? 0)));
    return result;
  });
  await work().finally(() => spy.mockRestore());
  return Object.fromEntries(Object.keys(counts).map((name, index) => [name, largest[index] ?? 0]));
}
