/** Exports metadata as CSV, page by page while it is sent. */
import { stringify } from "csv-stringify/sync";
import { Readable } from "node:stream";
import { LIMITS } from "../../../contract/limits.ts";
import { loadAuthorizedProject, type Actor } from "../../access/access.ts";
import { createListing } from "../files/listing.ts";
import { createCursor, NO_FILTER, BY_NAME, type Cursor } from "../files/page-query.ts";
import { loadAuthorizedFile } from "../files/repository.ts";
import { ancestorIdsOf, loadAncestors } from "../files/tree.ts";
import { loadProjectFields } from "../files/metadata-fields.ts";
import type { FilesDeps } from "../files/deps.ts";
import { FIXED_COLUMNS, guardText, headings, toCell } from "./cell-text.ts";
import { loadPeople } from "./values.ts";

const toCsv = (rows: string[][]): string => stringify(rows, { record_delimiter: "\r\n" });

export function createCsvExport(deps: FilesDeps) {
  const listing = createListing(deps);
  return {
    /** Returns the name of the file and its text, in parts. The first page is loaded before, so that an error of access is a response. */
    async export(actor: Actor, projectId: number, folderId: number | null): Promise<{ name: string; body: Readable }> {
      const read = deps.database.backgroundRead;
      const project = await loadAuthorizedProject(read, actor, "file.read", projectId);
      const fields = [...(await loadProjectFields(read, project.id)).values()];
      const people = await loadPeople(read, actor, project.id, null);
      const folder = folderId === null ? null : await loadAuthorizedFile(read, actor, "file.read", folderId);
      const prefix = folder ? await pathOf(folder.id) : "";

      async function pathOf(id: number): Promise<string> {
        const ancestors = await loadAncestors(read, [id]);
        const above = ancestorIdsOf(ancestors, id).toReversed().slice(1);
        return id === project.root_folder_id ? "" : [...above, id].map((one) => `${ancestors.get(one)?.name ?? ""}/`).join("");
      }
      const loadNext = (cursor: Cursor | null) =>
        listing.list(actor, project.id, {
          ...BY_NAME,
          folderId,
          deep: true,
          columns: fields,
          filter: { ...NO_FILTER, kinds: ["audio", "video", "image", "document"] },
          cursor,
          limit: LIMITS.files_page_max,
        });
      const first = await loadNext(null);

      async function* parts(): AsyncGenerator<string> {
        const names = headings(fields);
        yield `\uFEFF${toCsv([[...FIXED_COLUMNS, ...fields.map((field) => guardText(names.get(field) ?? ""))]])}`;
        for (let page = first; ;) {
          const rows = page.entries.map(({ file, path, metadata = {} }) => [
            String(file.id),
            guardText(`${prefix}${path ? `${path}/` : ""}${file.name}`),
            guardText(file.name),
            ...fields.map((field) => {
              const value = metadata[field.id];
              return value === undefined ? "" : toCell(field, value, people);
            }),
          ]);
          yield toCsv(rows);
          if (!page.last) return;
          page = await loadNext(createCursor(BY_NAME, page.last));
        }
      }
      return { name: `${folder && folder.parent_id !== null ? folder.name : project.name} metadata.csv`, body: Readable.from(parts()) };
    },
  };
}
