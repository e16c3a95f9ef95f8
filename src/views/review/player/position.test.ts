import { expect, test } from "vitest";
import { createServiceStorage } from "../../../lib/service-storage.ts";
import { canShowUnit, createAnnouncedPosition, formatInUnit, loadOrigin, loadUnit, saveOrigin, saveUnit, UNITS } from "./position.ts";

const known = { sampleRate: 44_100, tempo: { bpm: 128, origin: 0 } };
const unknown = { sampleRate: 0, tempo: null };

test("a position is formatted in every unit", () => {
  expect(UNITS.map((unit) => formatInUnit(unit, 83.4, known))).toEqual(["1:23.4", "83.400", "3,677,940", "45.2"]);
  expect(formatInUnit("seconds", 0.99999, known)).toBe("0.999");
});
test("a unit that needs an unknown value is not available, and shows the time", () => {
  expect(UNITS.map((unit) => canShowUnit(unit, unknown))).toEqual([true, true, false, false]);
  expect(UNITS.map((unit) => formatInUnit(unit, 83.4, unknown))).toEqual(["1:23.4", "83.400", "1:23.4", "1:23.4"]);
  expect(formatInUnit("samples", Number.NaN, known)).toBe("0");
});
test("unit and start of bar 1 are persisted, and an invalid unit is ignored", () => {
  const storage = createServiceStorage((name) => name);
  expect([loadUnit(), loadOrigin(storage, 7)]).toEqual(["time", 0]);
  saveUnit("bars");
  saveOrigin(storage, 7, 1.25);
  expect([loadUnit(), loadOrigin(storage, 7), loadOrigin(storage, 8)]).toEqual(["bars", 1.25, 0]);
  saveUnit("weeks" as "time");
  expect(loadUnit()).toBe("time");
});

test("seeking, stepping back and pausing are announced, playback is not", () => {
  const state = { isPlaying: false, position: 4 };
  const announcedPosition = createAnnouncedPosition({ state: () => state });
  const moveTo = (position: number, isPlaying = true) => {
    Object.assign(state, { position, isPlaying });
    return announcedPosition();
  };
  expect([announcedPosition(), moveTo(4), moveTo(4.3), moveTo(4.6), moveTo(5.1)]).toEqual([4, 4, 4, 4, 4]);
  expect([moveTo(30), moveTo(30.2), moveTo(29), moveTo(29.4)]).toEqual([30, 30, 29, 29]);
  expect(moveTo(29.5, false)).toBe(29.5);
});
