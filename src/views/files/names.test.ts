import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSameType, splitName, stemLength, uniqueName, validateName } from "./names.ts";

describe("a file name", () => {
  test.each(["mix.wav", " mix ", "…", "ä".repeat(127)])("%s is valid", (name) => expect(validateName(name)).toBeNull());
  test.each(["", "   ", "a/b", "a\\b", "..", "ä".repeat(128)])("%s is invalid", (name) => expect(validateName(name)).not.toBeNull());

  test.each([
    ["mix v4.wav", false, "mix v4"],
    ["archive.tar.gz", false, "archive.tar"],
    [".gitignore", false, ".gitignore"],
    ["README", false, "README"],
    ["v1.2", true, "v1.2"],
  ] as const)("renaming %s selects the stem", (name, isFolder, stem) => expect(name.slice(0, stemLength(name, isFolder))).toBe(stem));

  test("a new folder gets the first free name, ignoring case and Unicode form", () => {
    expect(uniqueName("New folder", ["Stems"])).toBe("New folder");
    expect(uniqueName("New folder", ["NEW FOLDER", "New folder 2"])).toBe("New folder 3");
    expect(uniqueName("é", ["e\u0301"])).toBe("é 2");
  });

  test("has the same type as another with the same extension", () => {
    expect([isSameType("a.wav", "b.WAV"), isSameType("a.wav", "b.mp3"), isSameType("a", "b")]).toEqual([true, false, true]);
  });
});

test("a long name preserves version and extension, a short one is not split", () => {
  expect(splitName("nightdrive_mix_final_master_v12.wav")).toEqual(["nightdrive_mix_final_mast", "er_v12.wav"]);
  expect(splitName("mix 2.wav")).toEqual(["mix 2.wav", ""]);
  // Each one is a single grapheme of many code units.
  expect(splitName("👩🏽‍🎤".repeat(20))[1]).toBe("");
  expect(splitName("👩🏽‍🎤".repeat(30))[1]).toBe("👩🏽‍🎤".repeat(10));
  expect(splitName("é".repeat(21))[1]).toBe("é".repeat(10));
});

test("splitting a name loses no text and splits no character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (name) => {
      const [beginning, end] = splitName(name);
      expect(beginning + end).toBe(name);
      expect([beginning, end].every((part) => part.isWellFormed())).toBe(true);
    }),
  );
});
