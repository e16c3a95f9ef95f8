import { expect, test } from "vitest";
import { archiveUrl } from "./project-files.ts";

const archiveNameIn = (url: string) => new URL(url, "http://localhost").searchParams.get("name")!;

test("archiveUrl shortens long names to the service's limit without splitting a character", () => {
  expect(archiveUrl([1, 2], "Stems")).toBe("/api/v2/files/archive?ids=1%2C2&name=Stems.zip");
  const long = archiveNameIn(archiveUrl([1], `${"a".repeat(250)}🎹${"b".repeat(3)}`));
  expect(long).toBe(`${"a".repeat(250)}.zip`);
  expect(archiveNameIn(archiveUrl([1], "a".repeat(255)))).toHaveLength(255);
});
