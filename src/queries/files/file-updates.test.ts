import { describe, expect, test } from "vitest";
import type { FileInfoResponse, FileRecord } from "../../../contract/records.ts";
import { toHistory } from "../messages/history.ts";
import { buildMessage } from "../messages/message.fixture.ts";
import { buildAttachment } from "./attachment.fixture.ts";
import {
  attachmentsOf,
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

describe("a history of messages", () => {
  const history = toHistory({
    data: [buildMessage(1), buildMessage(2, { attachments: [buildAttachment(7), buildAttachment(8)] }), buildMessage(3, { attachments: [buildAttachment(7)] })],
  });

  test("changes every message with the file and preserves the identity of the others", () => {
    const after = updateAttachments(history, 7, withStatus(APPROVED));
    expect(after.messages.map(({ attachments }) => attachments.map(({ audio }) => audio?.status?.title))).toEqual([[], ["Approved", undefined], ["Approved"]]);
    expect(after.messages[0]).toBe(history.messages[0]);
    expect(after.messages[1]!.attachments[1]).toBe(history.messages[1]!.attachments[1]);
  });

  test("is the same object when nothing changes", () => {
    expect(updateAttachments(history, 99, withStatus(APPROVED))).toBe(history);
    const updated = updateAttachments(history, 7, withStatus(APPROVED));
    expect(updateAttachments(updated, 7, withStatus({ ...APPROVED }))).toBe(updated);
    expect(updateAttachments(history, 7, withNameAndStatus(file({ name: "file-7.wav" })))).toBe(history);
  });
});

test("a processed version replaces only itself, and preserves the reader's unread flag", () => {
  const known = { ...buildAttachment(7, { version: 1, transcoding_status: "transcoding" }), has_unread_comments: true };
  const updated = buildAttachment(7, { version: 1 });
  expect(replaceVersion(updated)(known)).toEqual({ ...updated, has_unread_comments: true });
  expect(replaceVersion(buildAttachment(7, { version: 2 }))(known)).toBe(known);
});

describe("without the live connection", () => {
  const history = toHistory({
    data: [
      buildMessage(1, { attachments: [buildAttachment(6)] }),
      buildMessage(2, { attachments: [buildAttachment(7, { transcoding_status: "waiting" })] }),
      buildMessage(3, { attachments: [buildAttachment(8, { transcoding_status: "transcoding" })] }),
    ],
  });

  test("polling starts at the oldest message with a file that is processing", () => {
    expect(firstProcessingMessageId(history)).toBe(2);
    expect(
      firstProcessingMessageId(toHistory({ data: [buildMessage(1, { attachments: [buildAttachment(6, { transcoding_status: "failed" })] })] })),
    ).toBeNull();
  });

  test("a response updates the attachments and preserves the identity of unchanged messages", () => {
    const response = [
      buildMessage(2, { attachments: [buildAttachment(7)] }),
      buildMessage(3, { attachments: [buildAttachment(8, { transcoding_status: "transcoding" })] }),
    ];
    const after = refreshAttachments(history, response, new Set(attachmentsOf(history)));
    expect(after.messages.map(({ attachments }) => attachments[0]!.transcoding_status)).toEqual(["transcoded", "transcoded", "transcoding"]);
    expect(after.messages[2]).toBe(history.messages[2]);
    expect(refreshAttachments(after, response, new Set(attachmentsOf(after)))).toBe(after);
  });
});

describe("file fields on attachments", () => {
  test("name and status apply to all versions", () => {
    const changed = withNameAndStatus(file({ name: "final.wav", status: REVIEW }))(buildAttachment(7, { version: 1 }));
    expect(changed).toMatchObject({ name: "final.wav", version: 1, audio: { status: REVIEW } });
  });

  test("a response without a status preserves the known one, null removes it", () => {
    const known = withStatus(REVIEW)(buildAttachment(7));
    expect(withNameAndStatus(file({ name: known.name }))(known)).toBe(known);
    expect(withNameAndStatus(file({ name: known.name, status: "Approved" }))(known)).toBe(known);
    expect(withNameAndStatus(file({ name: known.name, status: null }))(known).audio?.status).toBeNull();
  });

  test("attachments of every kind show the status, except from a service that sends none", () => {
    const { audio: _, ...image } = buildAttachment(7, { kind: "image", status: null });
    expect(withStatus(APPROVED)(image)).toEqual({ ...image, status: APPROVED });
    const sound = withStatus(APPROVED)(buildAttachment(7, { status: null }));
    expect([attachmentStatus(sound), sound.audio?.status]).toEqual([APPROVED, APPROVED]);
    const { audio: __, ...plain } = buildAttachment(7, { kind: "document" });
    expect(withStatus(APPROVED)(plain)).toBe(plain);
  });
});

test("reprocessing changes only the version that is processed", () => {
  const failed = buildAttachment(7, { version: 2, transcoding_status: "failed", failure: "It is damaged." });
  const updated = { ...info().common, version: 2, transcoding_status: "waiting", failure: null };
  expect(withProcessingState(updated)(failed)).toMatchObject({ transcoding_status: "waiting", failure: null });
  expect(withProcessingState({ ...updated, version: 3 })(failed)).toBe(failed);
});

test("marking a deleted file twice changes nothing", () => {
  const deleted = markDeleted(buildAttachment(7));
  expect(deleted.deleted).toBe(true);
  expect(markDeleted(deleted)).toBe(deleted);
});

describe("cached file info", () => {
  test("updates name and status, and is the same object when they are unchanged", () => {
    const before = info();
    expect(withFile(before, file())).toBe(before);
    expect(withFile(before, file({ name: "final.wav", status: APPROVED }))?.common).toMatchObject({ name: "final.wav", status: APPROVED });
    expect(withInfoStatus(before, null)).toBe(before);
    expect(withInfoStatus(undefined, APPROVED)).toBeUndefined();
  });

  test("is outdated by another version or processing state, not by a name", () => {
    expect(isOutdated(info(), file({ version: 1, transcoding_status: "transcoding", name: "final.wav" }))).toBe(false);
    expect(isOutdated(info(), file())).toBe(false);
    expect(isOutdated(info(), file({ version: 2 }))).toBe(true);
    expect(isOutdated(info(), file({ transcoding_status: "transcoded" }))).toBe(true);
  });
});
