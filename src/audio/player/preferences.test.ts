import { expect, test } from "vitest";
import { setPersisted } from "../../lib/local-storage.ts";
import { loadVolume, saveVolume } from "./preferences.ts";

test("volume and mute are persisted; an invalid value loads as full volume", () => {
  // Test files share one process, so the test of a player may have stored a volume.
  setPersisted("volume", null);
  expect(loadVolume()).toEqual({ level: 1, muted: false });
  for (const volume of [
    { level: 0.35, muted: false },
    { level: 0, muted: false },
    { level: 1, muted: true },
  ]) {
    saveVolume(volume);
    expect(loadVolume()).toEqual(volume);
  }
  for (const invalid of ["", "7", "-1", "0.5 loud", "NaN"]) {
    setPersisted("volume", invalid);
    expect(loadVolume()).toEqual({ level: 1, muted: false });
  }
});
