import { expect, test } from "vitest";
import { readDrop, readPaste } from "./use-file-drop.ts";

const item = (name: string, isDirectory = false) => ({ kind: "file", getAsFile: () => new File(["x"], name), webkitGetAsEntry: () => ({ isDirectory }) });
const text = { kind: "string", getAsFile: () => null, webkitGetAsEntry: () => null };
const data = (items: unknown[], types = ["Files"]) => ({ items, types }) as unknown as DataTransfer;

test("dropped folders are counted but not read, and dropped text is ignored", () => {
  const { files, folderCount } = readDrop(data([item("a.wav"), item("Stems", true), text, item("b.wav")]));
  expect(files.map(({ name }) => name)).toEqual(["a.wav", "b.wav"]);
  expect(folderCount).toBe(1);
});

test("pasted files are attached, unless they are an image of the pasted text", () => {
  expect(readPaste(data([item("mix.wav")]))).toMatchObject([{ name: "mix.wav" }]);
  expect(readPaste(data([text, item("image.png")], ["text/plain", "Files"]))).toEqual([]);
});

test("a pasted picture without a name is named by the minute", async () => {
  const [picture] = readPaste(data([item("image.png")]), new Date(2026, 10, 27, 14, 5));
  expect(picture!.name).toMatch(/^Pasted image 2026-11-27 \d\d\.05\.png$/);
  expect(await picture!.text()).toBe("x");
  expect(readPaste(data([item("cover image.png")]))).toMatchObject([{ name: "cover image.png" }]);
});
