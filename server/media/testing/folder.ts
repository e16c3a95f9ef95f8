/** A folder that goes away with the test, and the steps run without a process around them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Results, Step, Wish } from "../types.ts";
import { runSteps } from "../worker/steps.ts";

export function testFolder(): { path: string; in(name: string): string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), "media-"));
  return { path, in: (name) => join(path, name), [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export async function runHere(input: string, outputs: string, steps: readonly Step[], more: Omit<Wish, "steps"> = {}): Promise<Results> {
  const results: Results = {};
  await runSteps({ input, outputs, wish: { steps, ...more } }, { done: ({ step, value }) => void Object.assign(results, { [step]: value }), progress() {} });
  return results;
}
