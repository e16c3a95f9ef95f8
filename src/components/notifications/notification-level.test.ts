import { expect, test } from "vitest";
import { allKinds, changesFor, levelOf, type NotificationLevel } from "./notification-level.ts";

type Settings = NonNullable<Parameters<typeof levelOf>[0]>;

const channels = { app: true, push: false, mail: "off" } as const;
const DEFAULT: Settings = { kinds: {} };
const CUSTOM: Settings = { kinds: { comment: channels } };

/** Returns settings as the service stores the changes of choosing a level. */
const choose = (level: NotificationLevel, before: Settings): Settings => {
  const { kinds = {} } = changesFor(level, levelOf(before)) as { kinds?: Record<string, object | null> };
  return { kinds: Object.fromEntries(Object.entries({ ...before.kinds, ...kinds }).filter(([, chosen]) => chosen !== null)) };
};

test("a project has the level that was chosen, also after another one", () => {
  expect(levelOf(undefined)).toBe("default");
  for (const before of [DEFAULT, choose("mentions", DEFAULT), CUSTOM])
    for (const level of ["default", "mentions"] as const) expect(levelOf(choose(level, before))).toBe(level);
});

test("settings that were chosen kind by kind are their own level", () => {
  expect(levelOf(CUSTOM)).toBe("custom");
  expect(levelOf({ kinds: { ...choose("mentions", DEFAULT).kinds, reply: channels } })).toBe("custom");
});

test("what a level replaced can be brought back", () => {
  const replaced = choose("mentions", CUSTOM);
  const restored = Object.entries({ ...replaced.kinds, ...allKinds(CUSTOM.kinds) }).filter(([, chosen]) => chosen !== null);
  expect(Object.fromEntries(restored)).toEqual(CUSTOM.kinds);
});

test("choosing the present level of a muted project unmutes it and keeps what was chosen kind by kind", () => {
  expect(changesFor("custom", "custom")).toEqual({ muted: false });
  expect(changesFor("default", "default")).toEqual({ muted: false });
});
