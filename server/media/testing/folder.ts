/** A temporary folder that is deleted with the test. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function createTestFolder(): { path: string; resolve(name: string): string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), "media-"));
  return { path, resolve: (name) => join(path, name), [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
