import { writeFileSync } from "node:fs";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestFolder } from "../testing/folder.ts";
import { encodeFile, RECIPES, type RecipeName } from "../testing/formats.ts";
import { runStepsInProcess } from "../testing/in-process.ts";
import { seeded } from "../testing/random.ts";
import { noise } from "../testing/signals.ts";
import { writeVideo, type VideoRecipe } from "../testing/video-file.ts";
import { detectKind } from "./detect-kind.ts";

let folder: ReturnType<typeof createTestFolder>;
beforeAll(() => void (folder = createTestFolder()));
afterAll(() => folder[Symbol.dispose]());

const probedKind = async (path: string) => (await runStepsInProcess(path, folder.path, ["probe"])).probe?.kind;

const video = { width: 64, height: 48, seconds: 1 };
const H264 = { codec: "libx264", options: { preset: "ultrafast" } };
const VIDEOS: [description: string, recipe: VideoRecipe][] = [
  ["MP4 with its index at the end", { ...video, ...H264, format: "mp4", sound: "m4a" }],
  ["MP4 with its index at the start", { ...video, ...H264, format: "mp4", sound: "m4a", formatOptions: { movflags: "+faststart" } }],
  ["fragmented MP4", { ...video, ...H264, format: "mp4", sound: "m4a", formatOptions: { movflags: "+frag_keyframe+empty_moov" } }],
  ["QuickTime", { ...video, ...H264, format: "mov" }],
  ["Matroska", { ...video, codec: "mpeg4", format: "matroska", sound: "opus" }],
  ["WebM as browsers record it", { ...video, codec: "libvpx", format: "webm", sound: "opus", formatOptions: { live: "1" } }],
  ["AVI", { ...video, codec: "mpeg4", format: "avi" }],
  ["FLV", { ...video, codec: "flv", format: "flv" }],
  ["transport stream", { ...video, ...H264, format: "mpegts" }],
  ["Windows Media", { ...video, codec: "wmv2", format: "asf" }],
];

describe("the kind by the first look is the kind that the probe finds", () => {
  test.each(Object.keys(RECIPES) as RecipeName[])("%s is audio", async (recipe) => {
    const rate = RECIPES[recipe].rates?.[0] ?? 44_100;
    encodeFile(folder.resolve("a"), recipe, [noise(0.3, 3, rate)], rate, { title: "A song" });
    expect([await detectKind(folder.resolve("a")), await probedKind(folder.resolve("a"))]).toEqual(["audio", "audio"]);
  });
  test.each(VIDEOS)("%s is video", async (_, recipe) => {
    await writeVideo(folder.resolve("v"), recipe);
    expect([await detectKind(folder.resolve("v")), await probedKind(folder.resolve("v"))]).toEqual(["video", "video"]);
  });
  test.each(["png", "jpeg", "webp", "gif", "avif", "tiff"] as const)("%s is an image", async (format) => {
    await sharp({ create: { width: 8, height: 8, channels: 3, background: "#808080" } })
      .toFormat(format)
      .toFile(folder.resolve("i"));
    expect([await detectKind(folder.resolve("i")), await probedKind(folder.resolve("i"))]).toEqual(["image", "image"]);
  });
  test.each(["%PDF-1.7\n", "PK\x03\x04", "only text", "#EXTM3U\nhttp://10.0.0.1/a.wav\n", "<svg></svg>", "\x00\x01\x02"])(
    "%j is a document",
    async (content) => {
      writeFileSync(folder.resolve("d"), content, "latin1");
      expect([await detectKind(folder.resolve("d")), await probedKind(folder.resolve("d"))]).toEqual(["document", "document"]);
    },
  );
});

test("an empty file is a document", async () => {
  writeFileSync(folder.resolve("empty"), "");
  expect(await detectKind(folder.resolve("empty"))).toBe("document");
});

test("damaged and hostile boxes end with some kind", async () => {
  const random = seeded(7);
  const box = (size: number, type: string, content = Buffer.alloc(0)) => {
    const header = Buffer.alloc(8);
    header.writeUInt32BE(size);
    header.write(type, 4, "latin1");
    return Buffer.concat([header, content]);
  };
  const nested = "moov trak mdia moov trak".split(" ").reduce((content, type) => box(content.length + 8, type, content), box(8, "hdlr"));
  const files = [
    box(8, "ftyp"),
    Buffer.concat([box(8, "ftyp"), box(0, "moov")]),
    Buffer.concat([box(8, "ftyp"), box(1, "moov")]),
    Buffer.concat([box(8, "ftyp"), box(3, "moov"), box(8, "free")]),
    Buffer.concat([box(8, "ftyp"), box(0xffff_fff0, "moov")]),
    Buffer.concat([box(8, "ftyp"), nested]),
    // A million boxes of eight bytes.
    Buffer.alloc(8_000_000, box(8, "free")),
    ...Array.from({ length: 50 }, () => Buffer.concat([box(16, "ftyp"), Buffer.from(Array.from({ length: 300 }, () => Math.floor(random.next() * 256)))])),
  ];
  for (const bytes of files) {
    writeFileSync(folder.resolve("h"), bytes);
    expect(await detectKind(folder.resolve("h"))).toBe("audio");
  }
});
