import * as fc from "fast-check";
import { expect, test } from "vitest";
import { safeName } from "./safe-names.ts";

test.each([
  ["mix.wav", "mix.wav"],
  ["..", "__"],
  [".", "_"],
  ["../../etc/passwd", ".._.._etc_passwd"],
  ["/etc/passwd", "_etc_passwd"],
  ["C:\\Windows\\x.dll", "C__Windows_x.dll"],
  ["a\\b", "a_b"],
  ["CON", "_CON"],
  ["nul.tar.gz", "_nul.tar.gz"],
  ["com1.wav", "_com1.wav"],
  ["LPT9", "_LPT9"],
  ["console.wav", "console.wav"],
  ['what?*<>|".wav', "what______.wav"],
  ["trailing. . ", "trailing___"],
  ["  ", "_"],
  ["gpj\u202e.exe", "gpj.exe"],
  ["e\u0301", "é"],
  ["nul\0byte", "nul_byte"],
  ["lone \ud800", "lone _"],
  ["AC/DC", "AC_DC"],
])("%j becomes %j", (name, safe) => expect(safeName(name)).toBe(safe));

test("whatever it is called, it is one name that stays where it is unpacked, and is made safe once", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.oneof(fc.constantFrom(".", "/", "\\", " ", ":", "\0", "CON", "\u202e"), fc.string({ unit: "binary", maxLength: 3 })),
        maxLength: 300,
      }),
      (name) => {
        const safe = safeName(name);
        expect(safe).not.toMatch(/[/\\:\0]|[. ]$|^(con|nul)(\.|$)/i);
        expect(safe).not.toBe("");
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(255);
        expect(safeName(safe)).toBe(safe);
      },
    ),
    { numRuns: 150 },
  );
});
