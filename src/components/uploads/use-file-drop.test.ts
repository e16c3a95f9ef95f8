import { expect, test } from "vitest";
import { readDrop, readPaste } from "./use-file-drop.ts";

const item = (name: string, isDirectory = false) => ({ kind: "file", getAsFile: () => new File(["x"], name), webkitGetAsEntry: () => ({ isDirectory }) });
const text = { kind: "string", getAsFile: () => null, webkitGetAsEntry: () => null };
const data = (items: unknown[], types = ["Files"]) => ({ items, types }) as unknown as DataTransfer;

test("folders are counted, not taken; text is left alone", () => {
  const { files, folderCount } = readDrop(data([item("a.wav"), item("Stems", true), text, item("b.wav")]));
  expect(files.map(({ name }) => name)).toEqual(["a.wav", "b.wav"]);
  expect(folderCount).toBe(1);
});

test("a paste gives its files, unless they are a picture of text", () => {
  expect(readPaste(data([item("image.png")]))).toHaveLength(1);
  expect(readPaste(data([text, item("image.png")], ["text/plain", "Files"]))).toEqual([]);
});
