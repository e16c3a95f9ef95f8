import { describe, expect, test } from "vitest";
import { uniqueName, isSameType, validateName, stemLength } from "./names.ts";

describe("a name", () => {
  test.each(["mix.wav", " mix ", "…", "ä".repeat(127)])("%s may be one", (name) => expect(validateName(name)).toBeNull());
  test.each(["", "   ", "a/b", "a\\b", "..", "ä".repeat(128)])("%s may not", (name) => expect(validateName(name)).not.toBeNull());

  test.each([
    ["mix v4.wav", false, "mix v4"],
    ["archive.tar.gz", false, "archive.tar"],
    [".gitignore", false, ".gitignore"],
    ["README", false, "README"],
    ["v1.2", true, "v1.2"],
  ] as const)("of %s the stem is chosen", (name, isFolder, stem) => expect(name.slice(0, stemLength(name, isFolder))).toBe(stem));

  test("a new folder gets the first name that is free, whatever case and form", () => {
    expect(uniqueName("New folder", ["Stems"])).toBe("New folder");
    expect(uniqueName("New folder", ["NEW FOLDER", "New folder 2"])).toBe("New folder 3");
    expect(uniqueName("é", ["e\u0301"])).toBe("é 2");
  });

  test("tells the type of file", () => {
    expect([isSameType("a.wav", "b.WAV"), isSameType("a.wav", "b.mp3"), isSameType("a", "b")]).toEqual([true, false, true]);
  });
});
