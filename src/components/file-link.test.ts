import { expect, test } from "vitest";
import { filePath, pagePathOf, parsePaneFile, withoutLinkedComment, withPaneFile } from "./file-link.ts";

const params = (query: string) => new URLSearchParams(query);

test("the path of a file's page names a version and a comment if the link does", () => {
  expect(filePath(5)).toBe("/files/5");
  expect(filePath(5, { version: 2, commentId: 7 })).toBe("/files/5?v=2&comment=7");
});

test("another file beside the chat replaces what the last one showed and keeps the search", () => {
  const search = params("search=bass&has=file&file=4&v=2&comment=9&comments=all");
  expect(withPaneFile(search, 5, { version: 3 }).toString()).toBe("search=bass&has=file&file=5&v=3");
  expect(withPaneFile(search, 5, { commentId: 7 }).toString()).toBe("search=bass&has=file&file=5&comment=7");
  expect(withPaneFile(search, null).toString()).toBe("search=bass&has=file");
});

test("the page of the pane's file shows the same; invalid ids open nothing", () => {
  expect(pagePathOf(params("search=bass&file=5&v=2&comments=all"))).toBe("/files/5?v=2&comments=all");
  expect(pagePathOf(params("search=bass"))).toBeNull();
  for (const id of ["", "0", "-1", "1.5", "x"]) expect(parsePaneFile(params(`file=${id}`))).toBeNull();
});

test("a linked comment is followed once", () => {
  expect(withoutLinkedComment(params("search=bass&file=5&comment=7")).toString()).toBe("search=bass&file=5");
});
