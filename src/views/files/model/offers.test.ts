import { expect, test } from "vitest";
import { entryOf } from "../../../queries/file-lists/entry.fixture.ts";
import { treeOf } from "../../../queries/file-lists/tree.ts";
import { fileTarget, moveTarget } from "./drop-target.ts";
import { offersFor } from "./offers.ts";

const member = { accountId: 1, role: "member" as const };
const folder = (id: number, parent_id: number | null, name: string) => entryOf(id, { is_folder: true, kind: "folder", parent_id, name });
const [root, stems, drums] = [folder(1, null, "Project"), folder(2, 1, "Stems"), folder(3, 2, "Drums")];
const mix = entryOf(9, { name: "mix.wav" });
const named = (...args: Parameters<typeof offersFor>) => offersFor(...args).map(({ action }) => action);

test("one file, one folder, several, and the project's own folder", () => {
  expect(named([mix], member, null)).toEqual(["open", "download", "rename", "move", "status", "versions", "addVersion", "protection", "copyLink", "delete"]);
  expect(named([stems], member, null)).toEqual(["open", "download", "rename", "move", "protection", "copyLink", "delete"]);
  expect(named([stems, mix], member, null)).toEqual(["download", "move", "status", "copyLink", "delete"]);
  expect(named([root], member, null)).toEqual(["open", "download", "copyLink"]);
  expect(named([], member, null)).toEqual([]);
});

test("what a guest never may is not offered; what cannot be done now says why", () => {
  const guest = { accountId: 2, role: "guest" as const };
  expect(named([mix], guest, null)).toEqual(["open", "download", "move", "versions", "addVersion", "copyLink", "delete"]);
  expect(offersFor([mix], guest, null).find(({ action }) => action === "delete")?.refusal).toMatch(/As a guest/);
  expect(offersFor([mix], member, "No files here.").find(({ action }) => action === "addVersion")?.refusal).toBe("No files here.");
});

test("nothing is done with more at once than the service takes", () => {
  const many = Array.from({ length: 501 }, (_, index) => entryOf(index + 10, { name: `take ${index}.wav` }));
  const refused = offersFor(many, member, null).filter(({ refusal }) => refusal !== null);
  expect(refused.map(({ action }) => action)).toEqual(["download", "move", "status", "delete"]);
});

const scene = { here: 1, tree: treeOf([root, stems, drums]), entries: [stems, mix] };

test("files of the desktop go into the folder under them, onto a file as its version, else here", () => {
  expect(fileTarget({ kind: "here" }, scene, true)).toEqual({ kind: "folder", id: 1 });
  expect(fileTarget({ kind: "entry", id: 2 }, scene, true)).toEqual({ kind: "folder", id: 2 });
  expect(fileTarget({ kind: "entry", id: 9 }, scene, true)).toEqual({ kind: "version", entry: mix });
  expect(fileTarget({ kind: "folder", id: 3 }, scene, true)).toEqual({ kind: "folder", id: 3 });
  // Gone while it was held there.
  expect(fileTarget({ kind: "folder", id: 77 }, scene, true)).toBeNull();
  expect(fileTarget({ kind: "entry", id: 77 }, scene, true)).toEqual({ kind: "folder", id: 1 });
  expect(fileTarget(null, scene, true)).toBeNull();
});

test("several files go into the folder, also over a list that is full of files", () => {
  expect(fileTarget({ kind: "entry", id: 9 }, scene, false)).toEqual({ kind: "folder", id: 1 });
  expect(fileTarget({ kind: "entry", id: 2 }, scene, false)).toEqual({ kind: "folder", id: 2 });
});

test("entries go into folders alone, and never where they cannot", () => {
  expect(moveTarget({ kind: "entry", id: 2 }, [mix], scene)).toBe(2);
  expect(moveTarget({ kind: "folder", id: 3 }, [mix], scene)).toBe(3);
  expect(moveTarget({ kind: "entry", id: 9 }, [stems], scene)).toBeNull();
  expect(moveTarget({ kind: "folder", id: 3 }, [stems], scene)).toBeNull();
  expect(moveTarget({ kind: "folder", id: 1 }, [mix], scene)).toBeNull();
  expect(moveTarget({ kind: "here" }, [mix], scene)).toBeNull();
});
