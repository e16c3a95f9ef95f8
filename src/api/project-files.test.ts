import { expect, test } from "vitest";
import { createApi } from "./http.ts";
import { archiveUrl } from "./project-files.ts";

const api = createApi({ baseUrl: "https://one.test" });
const archiveNameIn = (url: string) => new URL(url).searchParams.get("name")!;

test("archiveUrl is an address of the client's service, and shortens long names to the service's limit without splitting a character", () => {
  expect(archiveUrl(api, [1, 2], "Stems")).toBe("https://one.test/api/v2/files/archive?ids=1%2C2&name=Stems.zip");
  const long = archiveNameIn(archiveUrl(api, [1], `${"a".repeat(250)}🎹${"b".repeat(3)}`));
  expect(long).toBe(`${"a".repeat(250)}.zip`);
  expect(archiveNameIn(archiveUrl(api, [1], "a".repeat(255)))).toHaveLength(255);
});
