import { describe, expect, it } from "vitest";
import { fromLocalTime, toLocalTime } from "./time-zone.ts";

const at = (time: string): number => Date.parse(time);

describe("local times", () => {
  it.each([
    ["UTC", "2026-03-02T09:00:00.123Z", "2026-03-02T09:00:00.123Z"],
    ["Europe/Zagreb", "2026-03-02T23:30:00.000Z", "2026-03-03T00:30:00.000Z"],
    ["Asia/Kathmandu", "2026-03-02T09:00:00.000Z", "2026-03-02T14:45:00.000Z"],
    ["America/Los_Angeles", "2026-03-08T09:59:59.000Z", "2026-03-08T01:59:59.000Z"],
    ["America/Los_Angeles", "2026-03-08T10:30:00.000Z", "2026-03-08T03:30:00.000Z"],
    ["Pacific/Auckland", "2026-04-04T15:30:00.000Z", "2026-04-05T03:30:00.000Z"],
  ])("in %s at %s", (zone, time, local) => {
    expect(new Date(toLocalTime(at(time), zone)).toISOString()).toBe(local);
    expect(new Date(fromLocalTime(at(local), zone)).toISOString()).toBe(time);
  });

  it("that no clock shows, because it is turned forward, are an hour later", () => {
    expect(new Date(fromLocalTime(at("2026-03-29T02:30:00Z"), "Europe/Zagreb")).toISOString()).toBe("2026-03-29T01:30:00.000Z");
  });
});
