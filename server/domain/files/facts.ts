/** What files are filtered and sorted by stands in their rows: repeated from the current version whenever that changes. */
import type { Tx } from "../../db/schema.ts";
import { labelsIn } from "../../db/tag-labels.ts";

/** Where the version is not (or no more) its file's current one, nothing changes. */
export async function repeatFacts(tx: Tx, versionId: number): Promise<void> {
  const found = await tx
    .selectFrom("file_versions")
    .innerJoin("files", "files.version_id", "file_versions.id")
    .select([
      "file_versions.kind",
      "file_versions.size",
      "file_versions.duration",
      "file_versions.tags",
      "file_versions.created_at",
      "file_versions.created_by",
    ])
    .select(["files.id", "files.project_id", "files.tags as known"])
    .where("file_versions.id", "=", versionId)
    .executeTakeFirst();
  if (!found) return;
  const { bpm, key, tags } = labelsIn(found.tags);
  const written = JSON.stringify(tags);
  await tx
    .updateTable("files")
    .set({
      kind: found.kind,
      size: found.size,
      duration: found.duration ?? 0,
      bpm,
      music_key: key,
      tags: written,
      changed_at: found.created_at,
      uploader_id: found.created_by,
    })
    .where("id", "=", found.id)
    .execute();
  if (written === found.known) return;
  await tx.deleteFrom("file_tags").where("file_id", "=", found.id).execute();
  if (tags.length > 0)
    await tx
      .insertInto("file_tags")
      .values(tags.map((tag) => ({ project_id: found.project_id, tag, file_id: found.id })))
      .execute();
}
