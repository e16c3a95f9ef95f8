/** Lists the values of several files of a project. */
import { LIMITS } from "../../../contract/limits.ts";
import { loadAuthorizedProject, type Actor, visibleFiles } from "../../access/access.ts";
import type { Database } from "../../db/database.ts";
import { padIds } from "../../db/engine-sql.ts";
import { encodeCursor, loadPage, parsePage, takeFrom } from "../../http/paging.ts";
import { invalid } from "../../lib/errors.ts";
import { loadProjectFields, loadValues } from "../files/metadata-fields.ts";
import { type FileMetadataView, presentFileMetadata } from "./presenter.ts";

export function createMetadataListing({ database }: { database: Database }) {
  return {
    /** Returns a page of the files in the order of their ids, without those that are not in the project by now. */
    async list(actor: Actor, projectId: number, fileIds: readonly number[], query: { cursor?: string | undefined; limit?: number | undefined }) {
      const ids = [...new Set(fileIds)];
      if (ids.length > LIMITS.files_per_request) throw invalid("file_ids", `must be at most ${LIMITS.files_per_request} ids`);
      const { after, limit } = parsePage(query);
      const project = await loadAuthorizedProject(database.read, actor, "file.read", projectId);
      const files = await visibleFiles(database.read, actor)
        .select(["files.id", "files.project_id", "files.kind", "files.metadata_revision"])
        .where("files.project_id", "=", project.id)
        .where("files.id", "in", padIds(ids))
        .where("files.is_folder", "=", 0)
        .orderBy("files.id")
        .execute();
      const fields = [...(await loadProjectFields(database.read, project.id)).values()];
      const page = await loadPage<(typeof files)[number], FileMetadataView>({
        limit,
        load: takeFrom(files.filter(({ id }) => id > after)),
        async complete(rows) {
          const values = await loadValues(database.read, rows, fields);
          return rows.map((file) => ({ file, values: values.get(file.id) ?? {} }));
        },
        present: presentFileMetadata,
      });
      return { views: page.views, nextCursor: encodeCursor(page.hasMore ? (page.rows.at(-1)?.id ?? null) : null) };
    },
  };
}
