/** Manual corrections of tempo and key, which override the analysis results in every version of the file. */
import type { Actor } from "../../access/access.ts";
import type { Row } from "../../db/schema.ts";
import { conflict, invalid } from "../../lib/errors.ts";
import type { FilesDeps } from "./deps.ts";
import { syncFileFacts } from "./entry-rows.ts";
import { publishFileEvent } from "./file-events.ts";
import { lockFile } from "./repository.ts";

/** null: reset to the analysis result; undefined: unchanged. */
export interface Corrections {
  bpm?: number | null | undefined;
  key?: string | null | undefined;
}

export function createTagCorrections(deps: FilesDeps) {
  const { database, events } = deps;
  return {
    /** Makes no change if the values are the same. */
    correct(actor: Actor, fileId: number, { bpm, key }: Corrections): Promise<void> {
      return database.write(async (tx) => {
        const file = await lockFile(tx, events, actor, "file.tags", fileId);
        const versionId = file.version_id;
        if (file.is_folder === 1 || versionId === null) throw invalid("file_id", "must be a file");
        if (file.kind !== "audio") throw conflict("Only audio files have tempo and key. A new upload may not have been analyzed yet.");
        const columns: Partial<Pick<Row<"files">, "corrected_bpm" | "corrected_key">> = {};
        if (bpm !== undefined && bpm !== file.corrected_bpm) columns.corrected_bpm = bpm;
        if (key !== undefined && key !== file.corrected_key) columns.corrected_key = key;
        if (Object.keys(columns).length === 0) return;
        await tx
          .updateTable("files")
          .set((eb) => ({ ...columns, revision: eb("revision", "+", 1) }))
          .where("id", "=", fileId)
          .execute();
        await syncFileFacts(tx, database.engine, versionId);
        await publishFileEvent(tx, deps, "file.updated", await tx.selectFrom("files").selectAll().where("id", "=", fileId).executeTakeFirstOrThrow());
      });
    },
  };
}
