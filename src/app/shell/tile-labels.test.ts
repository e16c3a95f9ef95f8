import { expect, test } from "vitest";
import { tileLabels } from "./tile-labels.ts";

function labelsOf(...names: string[]) {
  const labels = tileLabels(names.map((name, id) => ({ id, name })));
  return names.map((_, id) => labels.get(id));
}

test("a tile has the initials of its project, and where they are the same, what the names differ in", () => {
  expect(labelsOf("Nightdrive EP", "Paper Boats")).toEqual(["NE", "PB"]);
  expect(labelsOf("Client Spot 1", "Client Spot 2", "Client Spot 12")).toEqual(["C1", "C2", "C12"]);
  expect(labelsOf("Cedar Songs", "Client Spots", "Chris Sings")).toEqual(["CeS", "ClS", "ChS"]);
  expect(labelsOf("North Radio Spot", "North Cinema Spot", "Nightdrive EP")).toEqual(["NRa", "NCi", "NE"]);
});

test("no two of a thousand projects have the same label, even if their names are equal", () => {
  const names = Array.from({ length: 1_000 }, (_, index) => ["Client spot", "Client Song", `Client Spot ${index}`, "CS", " C  S ", "Ca Sa", ""][index % 7]!);
  const labels = labelsOf(...names);
  expect(new Set(labels).size).toBe(names.length);
  expect(labelsOf("Same name", "Same name", "Same name")).toEqual(["SN1", "SN2", "SN3"]);
});
