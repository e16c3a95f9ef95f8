import { expect, test } from "vitest";
import { formatUrl } from "./url-name.ts";

test("an address is called by host and path", () => {
  expect(formatUrl("https://hooks.distro.example/talkback?k=1")).toBe("hooks.distro.example/talkback?k=1");
  expect(formatUrl("http://127.0.0.1:4000/")).toBe("127.0.0.1:4000");
  expect(formatUrl("not an address")).toBe("not an address");
});
