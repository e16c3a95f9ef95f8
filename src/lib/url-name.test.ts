import { expect, test } from "vitest";
import { nameOfUrl } from "./url-name.ts";

test("an address is called by host and path", () => {
  expect(nameOfUrl("https://hooks.distro.example/talkback?k=1")).toBe("hooks.distro.example/talkback?k=1");
  expect(nameOfUrl("http://127.0.0.1:4000/")).toBe("127.0.0.1:4000");
  expect(nameOfUrl("not an address")).toBe("not an address");
});
