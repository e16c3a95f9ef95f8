import { expect, test } from "vitest";
import { archiveAddress, originalAddress } from "./file-changes.ts";

const nameIn = (address: string) => new URL(address, "http://localhost").searchParams.get("name")!;

test("the name of a zip is cut where the service takes no longer one, and never within a letter", () => {
  expect(archiveAddress([1, 2], "Stems")).toBe("/api/v2/files/archive?ids=1%2C2&name=Stems.zip");
  const long = nameIn(archiveAddress([1], `${"a".repeat(250)}🎹${"b".repeat(3)}`));
  expect(long).toBe(`${"a".repeat(250)}.zip`);
  expect(nameIn(archiveAddress([1], "a".repeat(255)))).toHaveLength(255);
});

test("a version's own bytes, to be saved", () => {
  expect(originalAddress(7, 2)).toBe("/api/v2/files/7/versions/2/original?download=1");
});
