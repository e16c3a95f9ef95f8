import { describe, expect, test } from "vitest";
import type { FileInfoResponse, FileRecord } from "../../../contract/records.ts";
import { toHistory } from "../messages/history.ts";
import { buildMessage } from "../messages/message.fixture.ts";
import { buildAttachment } from "./attachment.fixture.ts";
import {
  updateAttachments,
  isOutdated,
  markDeleted,
  firstProcessingMessageId,
  refreshAttachments,
  replaceVersion,
  attachmentStatus,
  withNameAndStatus,
  withFile,
  withInfoStatus,
  withProcessingState,
  withStatus,
} from "./file-updates.ts";

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

const info = (): FileInfoResponse => ({
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
    data: [buildMessage(1), buildMessage(2, { attachments: [buildAttachment(7), buildAttachment(8)] }), buildMessage(3, { attachments: [buildAttachment(7)] })],
  });

  test("every message that carries the file changes, the others are the same objects", () => {
    const after = updateAttachments(history, 7, withStatus(APPROVED));
    expect(after.messages.map(({ attachments }) => attachments.map(({ audio }) => audio?.status?.title))).toEqual([[], ["Approved", undefined], ["Approved"]]);
    expect(after.messages[0]).toBe(history.messages[0]);
    expect(after.messages[1]!.attachments[1]).toBe(history.messages[1]!.attachments[1]);
  });

  test("nothing is woken where nothing changes", () => {
    expect(updateAttachments(history, 99, withStatus(APPROVED))).toBe(history);
    const updated = updateAttachments(history, 7, withStatus(APPROVED));
    expect(updateAttachments(updated, 7, withStatus({ ...APPROVED }))).toBe(updated);
    expect(updateAttachments(history, 7, withNameAndStatus(file({ name: "file-7.wav" })))).toBe(history);
  });
});

test("a processed version replaces itself alone, and keeps what depends on who reads", () => {
  const known = { ...buildAttachment(7, { version: 1, transcoding_status: "transcoding" }), has_unread_comments: true };
  const updated = buildAttachment(7, { version: 1 });
  expect(replaceVersion(updated)(known)).toEqual({ ...updated, has_unread_comments: true });
  expect(replaceVersion(buildAttachment(7, { version: 2 }))(known)).toBe(known);
});

describe("without the live channel", () => {
  const history = toHistory({
    data: [
      buildMessage(1, { attachments: [buildAttachment(6)] }),
      buildMessage(2, { attachments: [buildAttachment(7, { transcoding_status: "waiting" })] }),
      buildMessage(3, { attachments: [buildAttachment(8, { transcoding_status: "transcoding" })] }),
    ],
  });

  test("the oldest message with a file under way is where to ask again", () => {
    expect(firstProcessingMessageId(history)).toBe(2);
    expect(
      firstProcessingMessageId(toHistory({ data: [buildMessage(1, { attachments: [buildAttachment(6, { transcoding_status: "failed" })] })] })),
    ).toBeNull();
  });

  test("what is answered settles the attachments, and nothing is woken by what is the same", () => {
    const response = [
      buildMessage(2, { attachments: [buildAttachment(7)] }),
      buildMessage(3, { attachments: [buildAttachment(8, { transcoding_status: "transcoding" })] }),
    ];
    const after = refreshAttachments(history, response);
    expect(after.messages.map(({ attachments }) => attachments[0]!.transcoding_status)).toEqual(["transcoded", "transcoded", "transcoding"]);
    expect(after.messages[2]).toBe(history.messages[2]);
    expect(refreshAttachments(after, response)).toBe(after);
  });
});

describe("what belongs to the file", () => {
  test("name and status go to all its versions", () => {
    const changed = withNameAndStatus(file({ name: "final.wav", status: REVIEW }))(buildAttachment(7, { version: 1 }));
    expect(changed).toMatchObject({ name: "final.wav", version: 1, audio: { status: REVIEW } });
  });

  test("a service that tells no status with a file leaves the known one; null takes it away", () => {
    const known = withStatus(REVIEW)(buildAttachment(7));
    expect(withNameAndStatus(file({ name: known.name }))(known)).toBe(known);
    expect(withNameAndStatus(file({ name: known.name, status: "Approved" }))(known)).toBe(known);
    expect(withNameAndStatus(file({ name: known.name, status: null }))(known).audio?.status).toBeNull();
  });

  test("attachments of every kind show the status; where a service tells none with them, none is made up", () => {
    const { audio: _, ...image } = buildAttachment(7, { kind: "image", status: null });
    expect(withStatus(APPROVED)(image)).toEqual({ ...image, status: APPROVED });
    const sound = withStatus(APPROVED)(buildAttachment(7, { status: null }));
    expect([attachmentStatus(sound), sound.audio?.status]).toEqual([APPROVED, APPROVED]);
    const { audio: __, ...plain } = buildAttachment(7, { kind: "document" });
    expect(withStatus(APPROVED)(plain)).toBe(plain);
  });
});

test("running again changes the version that runs", () => {
  const failed = buildAttachment(7, { version: 2, transcoding_status: "failed", failure: "It is damaged." });
  const updated = { ...info().common, version: 2, transcoding_status: "waiting", failure: null };
  expect(withProcessingState(updated)(failed)).toMatchObject({ transcoding_status: "waiting", failure: null });
  expect(withProcessingState({ ...updated, version: 3 })(failed)).toBe(failed);
});

test("a deleted file is marked once", () => {
  const deleted = markDeleted(buildAttachment(7));
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
