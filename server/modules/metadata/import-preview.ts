/** Lists what an import would change, for a person who decides whether to run it. */
import type { MetadataChanges, MetadataImport } from "../../../contract/metadata-records.ts";
import type { Db } from "../../db/schema.ts";
import { cutToPage } from "../../http/paging.ts";
import { ancestorIdsOf, loadAncestors } from "../files/tree.ts";
import type { FileDifference } from "./values.ts";

const MAX_VALUES = 100;

const take = (values: MetadataChanges, count: number): MetadataChanges => Object.fromEntries(Object.entries(values).slice(0, count));

/** Returns the first changes by line, with the files' paths and former values; `lineOf`: lines of the table by file id. */
export async function previewChanges(db: Db, differences: readonly FileDifference[], lineOf: ReadonlyMap<number, number>): Promise<MetadataImport["changes"]> {
  let left = MAX_VALUES;
  const first = differences.flatMap(({ file, values, former }) => {
    const shown = take(values, left);
    left -= Object.keys(shown).length;
    return Object.keys(shown).length === 0 ? [] : [{ file, values: shown, former: take(former, Object.keys(shown).length) }];
  });
  const ancestors = await loadAncestors(
    db,
    first.map(({ file }) => file.id),
  );
  // The last one is the project's root, which is no part of a path.
  const pathOf = (id: number): string => [...ancestorIdsOf(ancestors, id).slice(0, -1).toReversed(), id].map((one) => ancestors.get(one)?.name ?? "").join("/");
  return cutToPage(
    first.map(({ file, values, former }) => ({
      line: lineOf.get(file.id) ?? 0,
      file_id: file.id,
      path: pathOf(file.id),
      values,
      former_values: former,
    })),
  );
}
