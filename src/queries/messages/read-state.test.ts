import { describe, expect, test } from "vitest";
import type { Project } from "../../../contract/records.ts";
import { applyReadMarker, recordActivity, withMemberReadMarker } from "./read-state.ts";

const project = (id: number, changes: Partial<Project> = {}): Project => ({
  id,
  team_id: 1,
  group_id: null,
  name: `Project ${id}`,
  description: "",
  root_folder_id: null,
  created_at: "2026-11-01T09:00:00.000Z",
  role: "member",
  unread_count: 0,
  last_message_id: 10,
  last_read_message_id: 10,
  ...changes,
});
const reader = { accountId: 1, seen: false };
const buildActivity = (message_id: number, account_id = 2, project_id = 1) => ({ project_id, message_id, account_id });

describe("recordActivity", () => {
  test("counts a message of another account once", () => {
    const counted = recordActivity([project(1), project(2)], buildActivity(11), reader);
    expect(counted[0]).toMatchObject({ unread_count: 1, last_message_id: 11 });
    expect(recordActivity(counted, buildActivity(11), reader)).toBe(counted);
  });

  test("does not count the reader's own messages or those in view", () => {
    expect(recordActivity([project(1)], buildActivity(11, 1), reader)[0]).toMatchObject({ unread_count: 0, last_message_id: 11 });
    expect(recordActivity([project(1)], buildActivity(11), { ...reader, seen: true })[0]?.unread_count).toBe(0);
  });

  test("counts mentions of the reader separately", () => {
    const mentioning = { ...buildActivity(11), mentions: [3, 1] };
    expect(recordActivity([project(1, { mention_count: 1 })], mentioning, reader)[0]).toMatchObject({ unread_count: 1, mention_count: 2 });
    expect(recordActivity([project(1)], { ...buildActivity(11), mentions: [3] }, reader)[0]?.mention_count ?? 0).toBe(0);
    expect(recordActivity([project(1)], mentioning, { ...reader, seen: true })[0]?.mention_count ?? 0).toBe(0);
  });

  test("stops at 100, and ignores other and unknown projects", () => {
    const full = [project(1, { unread_count: 100 }), project(2)];
    const after = recordActivity(full, buildActivity(11), reader);
    expect(after[0]?.unread_count).toBe(100);
    expect(after[1]).toBe(full[1]);
    expect(recordActivity(full, buildActivity(11, 2, 99), reader)).toBe(full);
  });

  test("counts the first message of a project", () => {
    expect(recordActivity([project(1, { last_message_id: null })], buildActivity(1), reader)[0]?.unread_count).toBe(1);
  });
});

describe("applyReadMarker", () => {
  test("moves back only when requested", () => {
    const read = [project(1, { last_read_message_id: 10 })];
    const rewound = { project_id: 1, last_read_message_id: 6, unread_count: 4, mention_count: 1 };
    expect(applyReadMarker(read, rewound)).toBe(read);
    expect(applyReadMarker(read, rewound, { canMoveBack: true })[0]).toMatchObject({ last_read_message_id: 6, unread_count: 4, mention_count: 1 });
  });

  test("moves marker and count together, forward only", () => {
    const unread = [project(1, { unread_count: 4, last_read_message_id: 6 })];
    const read = applyReadMarker(unread, { project_id: 1, last_read_message_id: 10, unread_count: 0 });
    expect(read[0]).toMatchObject({ unread_count: 0, last_read_message_id: 10 });
    expect(applyReadMarker(read, { project_id: 1, last_read_message_id: 8, unread_count: 2 })).toBe(read);
    expect(applyReadMarker(read, { project_id: 1, last_read_message_id: 10, unread_count: 0 })).toBe(read);
  });
});

const marker = (account_id: number, last_read_message_id: number) => ({ account_id, last_read_message_id, moved_at: "2026-11-17T09:00:00.000Z" });

test("another reader's read marker only moves forward, and a new reader is added", () => {
  const markers = [marker(2, 10), marker(3, 4)];
  expect(withMemberReadMarker(markers, marker(3, 9))).toEqual([marker(2, 10), marker(3, 9)]);
  expect(withMemberReadMarker(markers, marker(2, 7))).toBe(markers);
  expect(withMemberReadMarker(markers, marker(4, 1))).toHaveLength(3);
  expect(withMemberReadMarker(undefined, marker(4, 1))).toBeUndefined();
});
