/** Tests the squares that are made of pictures from strangers: in the process of their own that the service uses. */
import { readFileSync, writeFileSync } from "node:fs";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSquarePictures } from "../square-pictures.ts";
import { createTestFolder } from "../testing/folder.ts";
import { hugePng } from "../testing/hostile.ts";

const RED = { r: 220, g: 20, b: 20 };
const BLUE = { r: 20, g: 20, b: 220 };

let folder: ReturnType<typeof createTestFolder>;
beforeAll(() => void (folder = createTestFolder()));
afterAll(() => folder[Symbol.dispose]());

const writeSquares = createSquarePictures(Promise.resolve(null));
async function squaresOf(picture: Buffer, maxPixels = 40_000_000) {
  writeFileSync(folder.resolve("upload"), picture);
  return writeSquares({ input: folder.resolve("upload"), outputs: folder.resolve("."), sides: [32, 64], maxPixels });
}
const readSquare = (name: string) => readFileSync(folder.resolve(name));

/** A blue picture with a red stripe at its left edge, `share` of its width. */
const striped = (width: number, height: number, share: number) =>
  sharp({ create: { width, height, channels: 3, background: BLUE } }).composite([
    { input: { create: { width: Math.round(width * share), height, channels: 3, background: RED } }, left: 0, top: 0 },
  ]);
/** The dominant color in the middle of each edge: left, right, top, bottom. */
async function edges(square: Buffer): Promise<string> {
  const { data, info } = await sharp(square).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const last = info.width - 1;
  const middle = info.width >> 1;
  const name = (x: number, y: number) => (data[(y * info.width + x) * 3]! > data[(y * info.width + x) * 3 + 2]! ? "red" : "blue");
  return [name(1, middle), name(last - 1, middle), name(middle, 1), name(middle, last - 1)].join(" ");
}

describe("a picture becomes squares", () => {
  test.each(["png", "jpeg", "gif", "webp", "avif"] as const)("of %s, in every side length, as WebP", async (format) => {
    const files = await squaresOf(await striped(200, 100, 0.4).toFormat(format).toBuffer());
    for (const side of [32, 64]) {
      const square = readSquare(files[side]!.name);
      expect(square.length).toBe(files[side]!.bytes);
      expect(await sharp(square).metadata()).toMatchObject({ format: "webp", width: side, height: side });
      // The middle of the picture: 50 to 150, of which the stripe takes the left 30.
      expect(await edges(square)).toBe("red blue blue blue");
    }
  });

  test("of which the sides are cut off", async () => {
    const files = await squaresOf(await striped(200, 100, 0.2).png().toBuffer());
    expect(await edges(readSquare(files[64]!.name))).toBe("blue blue blue blue");
  });

  test("as the camera was held, and without what the file says of the place", async () => {
    const picture = await striped(100, 100, 0.4)
      .jpeg()
      .withExif({ IFD3: { GPSLatitude: "45/1 48/1 0/1", GPSLatitudeRef: "N" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(picture).metadata()).orientation).toBe(6);
    const files = await squaresOf(picture);
    const square = readSquare(files[64]!.name);
    // Turned a quarter to the right: the left edge is above.
    expect(await edges(square)).toBe("blue blue red blue");
    expect((await sharp(square).metadata()).exif).toBeUndefined();
  });

  test("that are larger than it", async () => {
    const files = await squaresOf(await striped(4, 4, 0.5).png().toBuffer());
    expect(await sharp(readSquare(files[64]!.name)).metadata()).toMatchObject({ width: 64, height: 64 });
  });
});

test.each([
  ["a text", "not-supported", () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")],
  ["a song", "not-supported", () => Buffer.from("RIFF\u0024\0\0\0WAVEfmt ")],
  ["a TIFF", "not-supported", async () => striped(40, 40, 0.5).tiff().toBuffer()],
  ["nothing", "empty", () => Buffer.alloc(0)],
  ["the first half of a picture", "damaged", async () => (await striped(300, 300, 0.5).jpeg().toBuffer()).subarray(0, 700)],
  ["a small file that says it is huge", "too-large-image", () => hugePng(30_000, 30_000)],
] as const)("%s is refused: %s", async (_, code, picture) => {
  await expect(squaresOf(await picture())).rejects.toMatchObject({ code });
});

test("a picture of more pixels than allowed is refused before it is decoded", async () => {
  const picture = await striped(300, 300, 0.5).png().toBuffer();
  await expect(squaresOf(picture, 89_999)).rejects.toMatchObject({ code: "too-large-image" });
  await expect(squaresOf(picture, 90_000)).resolves.toBeDefined();
});
