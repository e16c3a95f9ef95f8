import { expect, test } from "vitest";
import { changesFor, levelOf } from "./notification-level.ts";

type Settings = Parameters<typeof levelOf>[0];

/** Returns settings as the service stores the changes. */
const stored = (level: Parameters<typeof changesFor>[0], before: NonNullable<Settings> = { muted: false, kinds: {} }) => {
  const { muted, kinds = {} } = changesFor(level) as { muted: boolean; kinds?: Record<string, object | null> };
  const merged = Object.entries({ ...before.kinds, ...kinds }).filter(([, channels]) => channels !== null);
  return { muted, kinds: Object.fromEntries(merged) };
};

test("a project has the level that was chosen, also after another one", () => {
  expect(levelOf(undefined)).toBe("all");
  for (const before of ["all", "mentions", "nothing"] as const)
    for (const level of ["all", "mentions", "nothing"] as const) expect(levelOf(stored(level, stored(before)))).toBe(level);
});

test("settings that were chosen one by one are none of the levels", () => {
  const channels = { app: true, push: false, mail: "off" } as const;
  expect(levelOf({ muted: false, kinds: { comment: channels } })).toBeNull();
  expect(levelOf({ muted: false, kinds: { ...stored("mentions").kinds, reply: channels } })).toBeNull();
});
