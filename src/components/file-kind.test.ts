import { expect, test } from "vitest";
import type { Attachment } from "../../contract/records.ts";
import { extensionOf } from "../lib/file-extension.ts";
import { groupAttachments, kindOf } from "./file-kind.tsx";

const createAttachment = (name: string, overrides: Partial<Attachment> = {}): Attachment => ({
  id: 1,
  name,
  size: 1,
  url: "/original",
  compressed_file_url: null,
  has_unread_comments: false,
  is_blind_drop: false,
  is_shared: false,
  transcoding_status: "transcoded",
  ...overrides,
});

test.each([
  ["mix.final.WAV", "wav"],
  [".hidden", ""],
  ["README", ""],
  ["a. b", ""],
  ["v1.2 of the mix", ""],
])("the extension of %j is %j", (name, extension) => {
  expect(extensionOf(name)).toBe(extension);
});

test.each([
  ["the kind from the service", createAttachment("mix.wav", { kind: "document" }), "document"],
  ["an unprocessed file by its name", createAttachment("mix.wav", { kind: "document", transcoding_status: "waiting" }), "audio"],
  ["a failed file by its name", createAttachment("mix.wav", { kind: "document", transcoding_status: "failed" }), "audio"],
  ["an unprocessed document by its name", createAttachment("spec.pdf", { kind: "document", transcoding_status: "waiting" }), "document"],
  ["an unknown kind by its name", createAttachment("mix.wav", { kind: "hologram" }), "audio"],
  ["a file with a thumbnail is an image", createAttachment("cover", { thumbnail: "/thumbnail" }), "image"],
  ["a file with stills is a video", createAttachment("reel", { stills_url: "/stills" }), "video"],
  ["a file with a duration is a video", createAttachment("reel", { duration: 3 }), "video"],
  ["audio by its name", createAttachment("mix.aiff"), "audio"],
  ["a video by its name", createAttachment("reel.mov"), "video"],
  ["an image by its name", createAttachment("cover.JPG"), "image"],
  ["an image that can run scripts is a document", createAttachment("logo.svg"), "document"],
  ["everything else is a document", createAttachment("contract.pdf"), "document"],
])("%s", (_, attachment, kind) => {
  expect(kindOf(attachment)).toBe(kind);
});

test("consecutive images form one group, the order is preserved, and deleted files are marked", () => {
  const all = ["1.png", "2.png", "mix.wav", "3.png", "gone.png", "4.png"].map((name) => createAttachment(name));
  const blocks = groupAttachments(all, ({ name }) => name === "gone.png");
  expect(blocks.map((block) => [block.kind, "attachments" in block ? block.attachments.length : block.attachment.name])).toEqual([
    ["images", 2],
    ["audio", "mix.wav"],
    ["images", 1],
    ["deleted", "gone.png"],
    ["images", 1],
  ]);
});

test("from three on, the audio files of a message form one list in place of the first; deleted ones do not count", () => {
  const kinds = (names: string[]) =>
    groupAttachments(
      names.map((name) => createAttachment(name)),
      ({ name }) => name.startsWith("gone"),
    ).map((block) => ("attachments" in block ? `${block.kind} ${block.attachments.map(({ name }) => name).join()}` : block.kind));
  expect(kinds(["notes.pdf", "a.wav", "1.png", "b.wav", "c.wav"])).toEqual(["document", "audio-list a.wav,b.wav,c.wav", "images 1.png"]);
  expect(kinds(["a.wav", "gone.wav", "c.wav"])).toEqual(["audio", "deleted", "audio"]);
});
