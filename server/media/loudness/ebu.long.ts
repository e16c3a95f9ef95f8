import { expect, test } from "vitest";
import { compareWithCase, ebuCases } from "../testing/ebu.ts";
import { createTestFolder } from "../testing/folder.ts";
import { runStepsInProcess } from "../testing/in-process.ts";
import { writeWav } from "../testing/wav.ts";

test("every signal that the text of EBU Tech 3341 and 3342 describes reads as it must, from a file to the result", async () => {
  using folder = createTestFolder();
  const table: Record<string, { values: number; passed: number; lowest: number; highest: number }> = {};
  const failed: unknown[] = [];
  for (const signal of ebuCases()) {
    writeWav(folder.resolve("a"), signal.createChannels(), signal);
    const { loudness } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe", "loudness"]);
    for (const result of compareWithCase(signal, loudness!)) {
      if (!result.passes) failed.push(result);
      const row = (table[signal.name.split(",")[0]!] ??= { values: 0, passed: 0, lowest: Infinity, highest: -Infinity });
      const difference = Number(((result.measured ?? Number.NaN) - result.target).toFixed(2));
      row.values++;
      row.passed += result.passes ? 1 : 0;
      row.lowest = Math.min(row.lowest, difference);
      row.highest = Math.max(row.highest, difference);
    }
  }
  console.table(table);
  const rows = Object.values(table);
  console.log(`${rows.reduce((sum, { passed }) => sum + passed, 0)} of ${rows.reduce((sum, { values }) => sum + values, 0)} values`);
  expect(failed).toEqual([]);
});
