import fc from "fast-check";
import { expect, test } from "vitest";
import { splitName } from "./cut-name.ts";

test("version and type of a long name stay, short names are left as they are", () => {
  expect(splitName("nightdrive_mix_final_master_v12.wav")).toEqual(["nightdrive_mix_final_mast", "er_v12.wav"]);
  expect(splitName("mix 2.wav")).toEqual(["mix 2.wav", ""]);
  // Each one is a single grapheme of many code units.
  expect(splitName("👩🏽‍🎤".repeat(20))[1]).toBe("");
  expect(splitName("👩🏽‍🎤".repeat(30))[1]).toBe("👩🏽‍🎤".repeat(10));
  expect(splitName("é".repeat(21))[1]).toBe("é".repeat(10));
});

test("nothing of a name is lost, and no character is torn", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (name) => {
      const [beginning, end] = splitName(name);
      expect(beginning + end).toBe(name);
      expect([beginning, end].every((part) => part.isWellFormed())).toBe(true);
    }),
  );
});
