import { describe, expect, test } from "vitest";
import type { FileInfoAnswer, FileRecord } from "../../../contract/records.ts";
import { toHistory } from "../messages/history.ts";
import { messageOf } from "../messages/message.fixture.ts";
import { attachmentOf } from "./attachment.fixture.ts";
import {
  changeAttachments,
  isOutdated,
  markDeleted,
  oldestUnsettled,
  refreshAttachments,
  replaceVersion,
  statusOf,
  withFacts,
  withFile,
  withInfoStatus,
  withState,
  withStatus,
} from "./cache.ts";

const APPROVED = { id: 4, title: "Approved", color: 4, position: 4 };
const REVIEW = { id: 2, title: "In review", color: 7, position: 2 };

const file = (changes: Partial<FileRecord> = {}): FileRecord => ({
  object: "file",
  id: 7,
  name: "mix.wav",
  is_folder: false,
  parent_id: 1,
  size: 10,
  url: "/original",
  removal_protection: false,
  task_load_protection: false,
  team_id: 1,
  ...changes,
});

const info = (): FileInfoAnswer => ({
  ai_tags: { bpm: 0, genres: [], instruments: [], moods: [], key: [] },
  common: {
    id: 7,
    name: "mix.wav",
    size: 10,
    url: "/original",
    compressed_file_url: null,
    account_id: 1,
    project_id: 1,
    file_team_id: 1,
    is_blind_drop: false,
    is_shared: false,
    status: null,
    transcoding_status: "transcoding",
    version: 1,
  },
  file_info: { object: "document_file_info" },
});

describe("a stretch of messages", () => {
  const history = toHistory({
    data: [messageOf(1), messageOf(2, { attachments: [attachmentOf(7), attachmentOf(8)] }), messageOf(3, { attachments: [attachmentOf(7)] })],
  });

  test("every message that carries the file changes, the others are the same objects", () => {
    const after = changeAttachments(history, 7, withStatus(APPROVED));
    expect(after.messages.map(({ attachments }) => attachments.map(({ audio }) => audio?.status?.title))).toEqual([[], ["Approved", undefined], ["Approved"]]);
    expect(after.messages[0]).toBe(history.messages[0]);
    expect(after.messages[1]!.attachments[1]).toBe(history.messages[1]!.attachments[1]);
  });

  test("nothing is woken where nothing changes", () => {
    expect(changeAttachments(history, 99, withStatus(APPROVED))).toBe(history);
    const set = changeAttachments(history, 7, withStatus(APPROVED));
    expect(changeAttachments(set, 7, withStatus({ ...APPROVED }))).toBe(set);
    expect(changeAttachments(history, 7, withFacts(file({ name: "file-7.wav" })))).toBe(history);
  });
});

test("a processed version replaces itself alone, and keeps what depends on who reads", () => {
  const known = { ...attachmentOf(7, { version: 1, transcoding_status: "transcoding" }), has_unread_comments: true };
  const now = attachmentOf(7, { version: 1 });
  expect(replaceVersion(now)(known)).toEqual({ ...now, has_unread_comments: true });
  expect(replaceVersion(attachmentOf(7, { version: 2 }))(known)).toBe(known);
});

describe("without the live channel", () => {
  const history = toHistory({
    data: [
      messageOf(1, { attachments: [attachmentOf(6)] }),
      messageOf(2, { attachments: [attachmentOf(7, { transcoding_status: "waiting" })] }),
      messageOf(3, { attachments: [attachmentOf(8, { transcoding_status: "transcoding" })] }),
    ],
  });

  test("the oldest message with a file under way is where to ask again", () => {
    expect(oldestUnsettled(history)).toBe(2);
    expect(oldestUnsettled(toHistory({ data: [messageOf(1, { attachments: [attachmentOf(6, { transcoding_status: "failed" })] })] }))).toBeNull();
  });

  test("what is answered settles the attachments, and nothing is woken by what is the same", () => {
    const answer = [messageOf(2, { attachments: [attachmentOf(7)] }), messageOf(3, { attachments: [attachmentOf(8, { transcoding_status: "transcoding" })] })];
    const after = refreshAttachments(history, answer);
    expect(after.messages.map(({ attachments }) => attachments[0]!.transcoding_status)).toEqual(["transcoded", "transcoded", "transcoding"]);
    expect(after.messages[2]).toBe(history.messages[2]);
    expect(refreshAttachments(after, answer)).toBe(after);
  });
});

describe("what belongs to the file", () => {
  test("name and status go to all its versions", () => {
    const changed = withFacts(file({ name: "final.wav", status: REVIEW }))(attachmentOf(7, { version: 1 }));
    expect(changed).toMatchObject({ name: "final.wav", version: 1, audio: { status: REVIEW } });
  });

  test("a service that tells no status with a file leaves the known one; null takes it away", () => {
    const known = withStatus(REVIEW)(attachmentOf(7));
    expect(withFacts(file({ name: known.name }))(known)).toBe(known);
    expect(withFacts(file({ name: known.name, status: "Approved" }))(known)).toBe(known);
    expect(withFacts(file({ name: known.name, status: null }))(known).audio?.status).toBeNull();
  });

  test("attachments of every kind show the status; where a service tells none with them, none is made up", () => {
    const { audio: _, ...picture } = attachmentOf(7, { kind: "image", status: null });
    expect(withStatus(APPROVED)(picture)).toEqual({ ...picture, status: APPROVED });
    const sound = withStatus(APPROVED)(attachmentOf(7, { status: null }));
    expect([statusOf(sound), sound.audio?.status]).toEqual([APPROVED, APPROVED]);
    const { audio: __, ...plain } = attachmentOf(7, { kind: "document" });
    expect(withStatus(APPROVED)(plain)).toBe(plain);
  });
});

test("running again changes the version that runs", () => {
  const failed = attachmentOf(7, { version: 2, transcoding_status: "failed", failure: "It is damaged." });
  const now = { ...info().common, version: 2, transcoding_status: "waiting", failure: null };
  expect(withState(now)(failed)).toMatchObject({ transcoding_status: "waiting", failure: null });
  expect(withState({ ...now, version: 3 })(failed)).toBe(failed);
});

test("a deleted file is marked once", () => {
  const deleted = markDeleted(attachmentOf(7));
  expect(deleted.deleted).toBe(true);
  expect(markDeleted(deleted)).toBe(deleted);
});

describe("the info of a file", () => {
  test("takes name and status, and stays itself where they are the same", () => {
    const before = info();
    expect(withFile(before, file())).toBe(before);
    expect(withFile(before, file({ name: "final.wav", status: APPROVED }))?.common).toMatchObject({ name: "final.wav", status: APPROVED });
    expect(withInfoStatus(before, null)).toBe(before);
    expect(withInfoStatus(undefined, APPROVED)).toBeUndefined();
  });

  test("is outdated by another version and by another state of processing, not by a name", () => {
    expect(isOutdated(info(), file({ version: 1, transcoding_status: "transcoding", name: "final.wav" }))).toBe(false);
    expect(isOutdated(info(), file())).toBe(false);
    expect(isOutdated(info(), file({ version: 2 }))).toBe(true);
    expect(isOutdated(info(), file({ transcoding_status: "transcoded" }))).toBe(true);
  });
});
