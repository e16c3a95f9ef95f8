import { expect, test } from "vitest";
import { remember } from "../lib/remembered.ts";
import { recallVolume, rememberVolume } from "./volume.ts";

test("volume and mute are remembered; nonsense is full volume", () => {
  // Test files share one process, so the test of a player may have stored a volume.
  remember("volume", null);
  expect(recallVolume()).toEqual({ level: 1, muted: false });
  for (const volume of [
    { level: 0.35, muted: false },
    { level: 0, muted: false },
    { level: 1, muted: true },
  ]) {
    rememberVolume(volume);
    expect(recallVolume()).toEqual(volume);
  }
  for (const odd of ["", "7", "-1", "0.5 loud", "NaN"]) {
    remember("volume", odd);
    expect(recallVolume()).toEqual({ level: 1, muted: false });
  }
});
