import { expect, test } from "vitest";
import type { Attachment } from "../../contract/records.ts";
import { groupAttachments, extensionOf, kindOf } from "./file-kind.tsx";

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
  ["the kind that is told", createAttachment("mix.wav", { kind: "document" }), "document"],
  ["what was not looked into yet, by its name", createAttachment("mix.wav", { kind: "document", transcoding_status: "waiting" }), "audio"],
  ["what could not be read, by its name", createAttachment("mix.wav", { kind: "document", transcoding_status: "failed" }), "audio"],
  ["a document that waits", createAttachment("spec.pdf", { kind: "document", transcoding_status: "waiting" }), "document"],
  ["a kind from later: the name decides", createAttachment("mix.wav", { kind: "hologram" }), "audio"],
  ["a thumbnail is an image's", createAttachment("cover", { thumbnail: "" }), "image"],
  ["stills are a video's", createAttachment("reel", { stills_url: "" }), "video"],
  ["a length is a video's", createAttachment("reel", { duration: 3 }), "video"],
  ["sound by its name", createAttachment("mix.aiff"), "audio"],
  ["a video by its name", createAttachment("reel.mov"), "video"],
  ["an image by its name", createAttachment("cover.JPG"), "image"],
  ["a picture that may run script is a document", createAttachment("logo.svg"), "document"],
  ["everything else", createAttachment("contract.pdf"), "document"],
])("%s", (_, attachment, kind) => {
  expect(kindOf(attachment)).toBe(kind);
});

test("images in a row stand together, the order stays, deleted ones are marked", () => {
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
