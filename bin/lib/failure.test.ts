import { expect, test } from "vitest";
import { toFailure, lastOutputLines } from "./failure.mjs";

test.each([
  ["npm error code ENOTFOUND\nnpm error network request to https://registry.example/x failed", /registry cannot be reached/],
  ["npm error code EACCES\nnpm error syscall mkdir", /is not writable/],
  ["npm error code EROFS", /is not writable/],
  ["npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write", /disk is full/],
  ["npm error code ENOSPC\nnpm error network is not at fault", /disk is full/],
  ["npm error code EUSAGE\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync", /do not match/],
  ["npm error code EINTEGRITY", /is corrupted/],
  ["npm error code SELF_SIGNED_CERT_IN_CHAIN", /not trusted/],
])("explains %j", (output, expected) => {
  const failure = toFailure("Installing", output);
  expect(failure.message).toMatch(expected);
  expect(failure.hint).toMatch(/\.$/);
});

test("shows the tool's own output when it does not recognize the failure", () => {
  const failure = toFailure("Building the client", "x is not defined\n  at a.ts:1");
  expect(failure.message).toBe("Building the client failed.");
  expect(failure.detail).toContain("x is not defined");
});

test("removes npm's prefixes and log hints from the last lines of output", () => {
  const output = [
    "npm error code E404",
    "npm error 404 Not Found",
    "npm error A complete log of this run can be found in: /root/x.log",
    "",
    "npm error end",
  ].join("\n");
  expect(lastOutputLines(output, 10)).toBe("404 Not Found\nend");
  expect(lastOutputLines("1\n2\n3", 2)).toBe("2\n3");
});
